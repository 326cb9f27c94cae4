import { expect, test } from 'vitest'
import { operations, type OperationId } from '#contract/operations.ts'
import { targetOf } from '#site/target-of.ts'
import { sharedSmallService } from '../small-service.ts'

const service = sharedSmallService()

/**
 * The parameters of a request to each operation that takes any, and other values, each of which
 * must change the answer. The other cursor is that of the first page.
 */
const requests: Partial<
  Record<OperationId, { sent: Record<string, string>; other: Record<string, string> }>
> = {
  getFeed: {
    sent: { seed: 'monday' },
    other: {
      language: 'tr',
      gloss: 'es',
      level: 'A2',
      exclude: 'cat-sitter',
      clipLevel: 'A1',
      channel: 'channel-fr',
      maxDurationS: '59',
      known: 'A1',
      minKnownShare: '1',
      maxUnknown: '0',
      hasFocusWord: 'true',
      context: 'true',
      seed: 'tuesday',
      limit: '1',
    },
  },
  listClips: { sent: { ids: 'watchmaker' }, other: { ids: 'cat-sitter', gloss: 'es' } },
  getClip: { sent: { clipId: 'watchmaker' }, other: { clipId: 'cat-sitter', gloss: 'es' } },
  getTranscript: { sent: { clipId: 'watchmaker' }, other: { clipId: 'cat-sitter' } },
  listWords: {
    sent: {},
    other: { q: 'look', language: 'tr', gloss: 'es', level: 'A1', hasClips: 'false', ids: '3', limit: '1' },
  },
  getWord: { sent: { word: 'cat' }, other: { word: 'look', language: 'tr', gloss: 'es' } },
  listWordClips: {
    sent: { word: 'cat' },
    other: {
      word: 'look',
      language: 'tr',
      gloss: 'es',
      level: 'A1',
      known: 'A1',
      minKnownShare: '1',
      maxUnknown: '0',
      limit: '1',
    },
  },
  searchSentences: {
    sent: { q: 'look after' },
    other: { q: 'cat', language: 'tr', match: 'exact', level: 'A1', limit: '1' },
  },
  getChanges: { sent: { since: '000000-00000001' }, other: { since: '000000-00000002' } },
}

/** These are accepted and change nothing, because clips have no meanings to translate. */
const ignored = ['gloss of listClips', 'gloss of getClip']

/** What a parameter needs beside it. */
const needs: Record<string, Record<string, string>> = {
  cursor: { limit: '1' },
  minKnownShare: { known: 'A1' },
  maxUnknown: { known: 'A1' },
}

const every = operations.flatMap((operation) =>
  Object.keys({ ...operation.pathParameters, ...operation.queryParameters }).map((name) => ({
    name,
    of: operation.id,
    path: operation.path,
  })),
)

test.each(every)('$name of $of has a part in the answer', async ({ name, of, path }) => {
  const { sent, other } = requests[of]!
  const ask = async (parameters: Record<string, string>) => {
    const answer = await service.get(targetOf(path, parameters), { key: service.key })
    expect(answer.status, answer.text).not.toBe(400)
    // Both would differ even if the rest did not.
    const { seed: _seed, nextCursor, ...found } = answer.json
    return { found, nextCursor: nextCursor as string }
  }
  const base = { ...sent, ...needs[name] }
  const { found, nextCursor } = await ask(base)
  const values = { cursor: nextCursor, ...other }
  expect(Object.keys(values)).toContain(name)
  const changed = await ask({ ...base, [name]: values[name as keyof typeof values] })
  if (ignored.includes(`${name} of ${of}`)) expect(changed.found).toEqual(found)
  else expect(changed.found).not.toEqual(found)
})

/** Fails if something that the contract adds is missing elsewhere. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { glosses } from '#contract/glosses.ts'
import { levels } from '#contract/levels.ts'
import { operations, type OperationId, type OperationRow } from '#contract/operations.ts'
import { resolve } from '#site/components/reference/schema.ts'
import { fieldsOfRecord, fieldsOfValue } from '../harness/fields.ts'
import {
  corpora,
  feedQueries,
  sentencesQueries,
  somethingKnown,
  wordClipsQueries,
  wordsQueries,
} from '../model/generate.ts'
import { modelOf, type Model } from '../model/model.ts'
import type { SourceCorpus } from '../model/source.ts'
import { sharedSmallService } from '../proxy/small-service.ts'

describe('every field', () => {
  /** The keys of a record by level or language need no descriptions. */
  const isKey = (path: string) => [...levels, ...glosses].some((key) => path.endsWith(`.${key}`))

  test.for(operations)('of the record of $id has a description', ({ id }) => {
    const fields = fieldsOfRecord(id).filter(({ path }) => !isKey(path))
    expect(fields.filter(({ schema }) => !resolve(schema).description).map(({ path }) => path)).toEqual([])
  })

  /** The model's results for each operation, in the form of its record. */
  const answers: Record<OperationId, ((model: Model, corpus: SourceCorpus) => unknown[]) | null> = {
    getFeed: (model, corpus) =>
      corpus.clips.flatMap((clip) => {
        const { clipId } = model.clip(clip.videoId)!
        return [
          ...draw(feedQueries(corpus)),
          ...draw(somethingKnown(corpus)).map((known) => ({ known })),
        ].map((query) => ({ items: [model.feedItem(clipId, { gloss: 'es', ...query, context: true })] }))
      }),
    listClips: (model, corpus) => [model.clipBatch(corpus.clips.map(({ videoId }) => videoId))],
    getClip: (model, corpus) => corpus.clips.map(({ videoId }) => model.clip(videoId)),
    getTranscript: (model, corpus) => corpus.clips.map(({ videoId }) => model.transcript(videoId)),
    listWords: (model, corpus) => [
      ...draw(wordsQueries(corpus)).map((query) => ({ words: model.words(query) })),
      ...draw(wordClipsQueries(corpus)).map(({ word, ...query }) => ({
        words: model.wordsBySpelling([word], query),
      })),
    ],
    getWord: (model, corpus) =>
      draw(wordClipsQueries(corpus)).map(({ word, ...query }) => model.word(word, query)),
    listWordClips: (model, corpus) =>
      draw(wordClipsQueries(corpus)).map(({ word, ...query }) => model.wordClips(word, query)),
    searchSentences: (model, corpus) =>
      draw(sentencesQueries(corpus)).map((query) => ({ items: model.sentences(query) })),
    getCorpus: (model) => [model.corpus()],
    // The releases, the counters and the document are not part of a corpus.
    getChanges: null,
    getUsage: null,
    getOpenApi: null,
  }
  /** Fields that depend on the page, the time, the release or an analyser, not on the corpus. */
  const otherFields = [
    'cues[].words[].reading',
    'seed',
    'nextCursor',
    'totalCount',
    'indexedAt',
    'items[].indexedAt',
    'release',
    'builtAt',
  ]

  function draw<Value>(values: fc.Arbitrary<Value>): Value[] {
    return fc.sample(values, { seed: 7, numRuns: 8 })
  }

  test.for(operations.filter(({ id }) => answers[id] !== null))(
    'of $id has a value in the test model',
    ({ id }) => {
      const fields = fieldsOfRecord(id).map(({ path }) => path)
      expect(fields.length).toBeGreaterThan(0)
      const missing = new Set(fields).difference(new Set(otherFields))
      for (const corpus of fc.sample(corpora(), { seed: 20, numRuns: 30 })) {
        if (missing.size === 0) break
        const values = answers[id]!(modelOf(corpus), corpus)
        for (const field of values.flatMap((value) => fieldsOfValue(value))) missing.delete(field)
      }
      expect([...missing]).toEqual([])
    },
  )
})

describe('every parameter', () => {
  type ParameterName<Id extends OperationId> = keyof Extract<OperationRow, { id: Id }>['parameters']
  type Query = Record<string, string>

  /**
   * A query for each parameter, and a change to it that must change the response. `#next` stands
   * for the cursor in the response to the query. `gloss` has no effect on clips.
   */
  const effects: { [Id in OperationId]: Record<ParameterName<Id>, [query: Query, change: Query] | null> } = {
    getFeed: {
      language: [{ seed: 's' }, { language: 'tr' }],
      gloss: [{ seed: 's', level: 'A2' }, { gloss: 'es' }],
      level: [{ seed: 's' }, { level: 'A2' }],
      exclude: [{ seed: 's' }, { exclude: 'cat-sitter' }],
      clipLevel: [{ seed: 's' }, { clipLevel: 'A1' }],
      channel: [{ seed: 's' }, { channel: 'none' }],
      maxDurationS: [{ seed: 's' }, { maxDurationS: '59' }],
      hasFocusWord: [{ seed: 's' }, { hasFocusWord: 'true' }],
      context: [{ seed: 's' }, { context: 'true' }],
      known: [{ seed: 's' }, { known: 'A1' }],
      minKnownShare: [{ seed: 's', known: 'A1' }, { minKnownShare: '1' }],
      maxUnknown: [{ seed: 's', known: 'A1' }, { maxUnknown: '0' }],
      seed: [{ seed: 's' }, { seed: 't' }],
      limit: [{ seed: 's' }, { limit: '1' }],
      cursor: [{ seed: 's', limit: '2' }, { cursor: '#next' }],
    },
    listClips: { ids: [{ ids: 'cat-sitter' }, { ids: 'morning-run' }], gloss: null },
    getClip: { clipId: [{ clipId: 'cat-sitter' }, { clipId: 'morning-run' }], gloss: null },
    getTranscript: { clipId: [{ clipId: 'cat-sitter' }, { clipId: 'morning-run' }] },
    listWords: {
      q: [{}, { q: 'run' }],
      in: [{ q: 'run' }, { in: 'meanings' }],
      language: [{}, { language: 'tr' }],
      gloss: [{}, { gloss: 'es' }],
      level: [{}, { level: 'A1' }],
      hasClips: [{}, { hasClips: 'false' }],
      ids: [{}, { ids: '1' }],
      spellings: [{}, { spellings: 'run' }],
      limit: [{}, { limit: '1' }],
      cursor: [{ limit: '2' }, { cursor: '#next' }],
    },
    getWord: {
      word: [{ word: 'run' }, { word: 'cat' }],
      language: [{ word: 'run' }, { language: 'tr' }],
      gloss: [{ word: 'run' }, { gloss: 'es' }],
    },
    listWordClips: {
      word: [{ word: 'run' }, { word: 'cat' }],
      language: [{ word: 'run' }, { language: 'tr' }],
      gloss: [{ word: 'run' }, { gloss: 'es' }],
      level: [{ word: 'run' }, { level: 'C1' }],
      context: [{ word: 'run' }, { context: 'true' }],
      exclude: [{ word: 'cat' }, { exclude: 'cat-sitter' }],
      channel: [{ word: 'run' }, { channel: 'none' }],
      maxDurationS: [{ word: 'run' }, { maxDurationS: '1' }],
      known: [{ word: 'run' }, { known: 'A1' }],
      minKnownShare: [{ word: 'cat', known: 'A1' }, { minKnownShare: '1' }],
      maxUnknown: [{ word: 'cat', known: 'A1' }, { maxUnknown: '0' }],
      limit: [{ word: 'run' }, { limit: '1' }],
      cursor: [{ word: 'run', limit: '1' }, { cursor: '#next' }],
    },
    searchSentences: {
      q: [{ q: 'run' }, { q: 'cat' }],
      // Not Turkish, because another test needs its part of the index to be unread.
      language: [{ q: 'run' }, { language: 'zz' }],
      match: [{ q: 'run' }, { match: 'exact' }],
      level: [{ q: 'run' }, { level: 'C1' }],
      gloss: null,
      context: [{ q: 'run' }, { context: 'true' }],
      exclude: [{ q: 'cat' }, { exclude: 'cat-sitter' }],
      channel: [{ q: 'run' }, { channel: 'none' }],
      maxDurationS: [{ q: 'run' }, { maxDurationS: '1' }],
      known: [{ q: 'run' }, { known: 'A1' }],
      minKnownShare: [{ q: 'cat', known: 'A1' }, { minKnownShare: '1' }],
      maxUnknown: [{ q: 'cat', known: 'A1' }, { maxUnknown: '0' }],
      limit: [{ q: 'run' }, { limit: '1' }],
      cursor: [{ q: 'run', limit: '1' }, { cursor: '#next' }],
    },
    getCorpus: {},
    getChanges: { since: [{ since: 'one' }, { since: 'another' }] },
    getUsage: {},
    getOpenApi: {},
  }

  const service = sharedSmallService()

  async function send(path: string, query: Query): Promise<{ status: number; json: any }> {
    const rest = new URLSearchParams(query)
    const target = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      rest.delete(name)
      return query[name]!
    })
    return service.get(`${target}?${rest}`, { key: service.key })
  }

  const rows = operations.flatMap(({ id, path }) =>
    Object.entries(effects[id]).flatMap(([name, pair]) => (pair ? [[id, name, path, ...pair] as const] : [])),
  )
  test.each(rows)('of %s has an effect: %s', async (_, name, path, query, change) => {
    const { json } = await send(path, query)
    const changedQuery = change[name] === '#next' ? { cursor: json.nextCursor as string } : change
    const response = await send(path, { ...query, ...changedQuery })
    expect([200, 404]).toContain(response.status)
    expect(response.json).not.toEqual(json)
  })
})

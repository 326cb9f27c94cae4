import { expect, test } from 'vitest'
import { clip, corpus } from '../../nightly/small-corpus.ts'
import { serveForTest } from '../agreement/served.ts'
import { sharedSmallService } from '../small-service.ts'

const service = sharedSmallService()

interface Item {
  clip: { videoId: string }
  focusWord: { word: string; form?: string } | null
}

/** Returns the focus words of a feed, by video id; with `context`, the forms that are said. */
async function focusWords(query: string): Promise<Record<string, string | null>> {
  const { json } = await service.get(`/feed?${query}`, { key: service.key })
  const items = json.items as Item[]
  return Object.fromEntries(
    items.map(({ clip, focusWord }) => [clip.videoId, focusWord?.form ?? focusWord?.word ?? null]),
  )
}

const oneLevelAbove = { 'morning-run': 'café', watchmaker: 'meticulous' }
const others = { 'cat-sitter': null, 'at-the-beach': null, 'the-contract': null, 'fast-cats': null }

test.each([
  ['', { ...oneLevelAbove, ...others }],
  ['hasFocusWord=true', oneLevelAbove],
  ['hasFocusWord=true&level=A2', { 'cat-sitter': 'look after', watchmaker: 'look after' }],
  ['hasFocusWord=true&level=A2&clipLevel=B1,B2,C1', { watchmaker: 'look after' }],
  ['hasFocusWord=true&level=A2&context=true', { 'cat-sitter': 'looking after', watchmaker: 'looks after' }],
  ['hasFocusWord=true&channel=channel-en', oneLevelAbove],
  ['hasFocusWord=true&channel=channel-tr', {}],
  ['hasFocusWord=true&maxDurationS=60', oneLevelAbove],
  ['hasFocusWord=true&maxDurationS=59', {}],
  ['hasFocusWord=true&known=A2', { 'cat-sitter': 'look after', watchmaker: 'look after' }],
  ['hasFocusWord=true&known=B1', { watchmaker: 'meticulous' }],
  ['hasFocusWord=true&known=A2&maxUnknown=1', { 'cat-sitter': 'look after' }],
  ['language=tr&context=true', { 'ilik-su': 'ILIK' }],
])('the focus words of /feed?%s', async (query, expected) => {
  expect(await focusWords(query)).toEqual(expected)
})

test('shows a focus word that starts together with a word of another line, at the end of its own', async () => {
  const cats = { tStart: 0, tEnd: 4, text: 'Cats!', words: [{ text: 'Cats', tStart: 3, tEnd: 4 }] }
  const { get } = await serveForTest(
    corpus([clip('v', '', { cues: [cats, { tStart: 3, tEnd: 3, text: 'Run!' }] })]),
  )
  const focusWord = async (query: string) => (await get(`/feed?${query}`)).json.items[0].focusWord
  expect(await focusWord('')).toMatchObject({ word: 'run', meaning: 'what run means', tStart: 3 })
  const place = { tStart: 3, tEnd: 3, form: 'Run', text: 'Run!', start: 0, end: 3 }
  expect(await focusWord('context=true')).toMatchObject(place)
})

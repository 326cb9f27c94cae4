import { expect, test } from 'vitest'
import { clipIndexer } from '#nightly/index/index-clip.ts'
import { wordsOf } from './words-of.ts'

/** Returns the words found in a text, with a catalogue of headwords and their readings. */
function said(text: string, catalogue: Record<string, string[]>, language = 'ja'): string[] {
  const words = wordsOf(language, catalogue).map((word) =>
    word.word === '紙' ? { ...word, level: 'A2' as const } : word,
  )
  return [...clipIndexer(language, words)([{ tStart: 0, tEnd: 1, text }]).hits.keys()].map(({ word }) => word)
}

test.each(['きれい', '綺麗', '奇麗'])('きれい is one word in any spelling: %s', (written) => {
  for (const text of ['きれいな花', '綺麗な花', '奇麗な花'])
    expect(said(text, { [written]: [] })).toEqual([written])
})

test.each(['出来る', 'できる'])('出来る is one word in any spelling: %s', (written) => {
  for (const text of ['これができます', '出来ません'])
    expect(said(text, { [written]: [] })).toEqual([written])
})

test('kana match the easiest of the words in kanji with that reading', () => {
  expect(said('りょこうにいきます', { 旅行: ['りょこう'] })).toEqual(['旅行'])
  expect(said('いま', { 今: ['いま'] })).toEqual(['今'])
  expect(said('おちゃをのむ', { お茶: ['おちゃ'], 茶: ['ちゃ'] })).toEqual(['お茶'])
  expect(said('あめがふる', { 雨: ['あめ'] })).toEqual(['雨'])
  expect(said('かみをください', { 紙: ['かみ'], 髪: ['かみ'] })).toEqual(['髪'])
})

test('grammar that is spelled like a reading matches no word', () => {
  expect(said('忘れないように', { 内容: ['ないよう'] })).toEqual([])
  expect(said('いえ、違います', { 家: ['いえ'] })).toEqual([])
  expect(said('二つの本', { 角: ['つの'] })).toEqual([])
})

test('a form that is used as a noun is found by its own spelling', () => {
  expect(said('行き', { 行き: [] })).toEqual(['行き'])
  expect(said('遠くを見る', { 遠く: [], 遠い: [] })).toContain('遠く')
  expect(said('行きます', { 行き: [], 行く: [] })).toEqual(['行く'])
})

test('a headword that the analyser takes for a form of another word is found by its own spelling, too', () => {
  expect(said('его дом', { его: [], он: [], дом: [] }, 'ru')).toEqual(['его', 'дом'])
  expect(said('я вижу его', { его: [], он: [] }, 'ru')).toEqual(['он', 'его'])
  expect(said('все пришли', { все: [], весь: [], всё: [] }, 'ru')).toContain('все')
})

import { expect, test } from 'vitest'
import { ClipAnalyser } from '#nightly/index/clip-analyser.ts'
import { Lexicon } from '#nightly/index/lexicon.ts'
import { matchRuns } from '#nightly/index/match-runs.ts'
import { tokenise } from '#nightly/index/tokenise.ts'
import { wordsOf } from './words-of.ts'

/**
 * Returns the matches of some headwords, each given with its forms, as `headword@start+length`. A
 * `~` marks a match of a form.
 */
function runs(
  entries: Record<string, string[]>,
  text: string,
  { language = 'en', words }: { language?: string; words?: [string, string?][] } = {},
): string[] {
  const timed = words?.map(([said, lemma], i) => ({
    text: said,
    tStart: i,
    tEnd: i,
    ...(lemma ? { lemma } : {}),
  }))
  const tokens = tokenise({ tStart: 0, tEnd: 9, text, ...(timed ? { words: timed } : {}) }, language)
  return matchRuns(tokens, new Lexicon(language, wordsOf(language, entries))).map(
    ({ word, start, length, headword }) => `${headword ? '' : '~'}${word.word}@${start}+${length}`,
  )
}

test('phrases match by the analyser’s lemmas and by the listed forms of their words', () => {
  const words = wordsOf('en', { 'look after': [], 'be able to': [], look: ['looking'] })
  const cue = { tStart: 0, tEnd: 9, text: "She looked after me, looking after you; I'm able to" }
  const tokens = tokenise(cue, 'en')
  new ClipAnalyser('en', words).analyse([{ ...cue, tokens }], null)
  const found = matchRuns(tokens, new Lexicon('en', words))
  expect(found.map(({ word, start, length }) => `${word.word}@${start}+${length}`)).toEqual([
    'look@1+1',
    'look after@1+2',
    'look@4+1',
    'look after@4+2',
    'be able to@7+3',
  ])
})

test('in ja and zh, consecutive tokens that spell a headword match', () => {
  const words: [string][] = [['食べ'], ['物']]
  expect(runs({ 食べ物: [] }, '食べ物', { language: 'ja', words })).toEqual(['食べ物@0+2'])
  expect(runs({ 食べ物: [] }, '食べ。物', { language: 'ja', words })).toEqual([])
  expect(runs({ 火车站: [] }, '火车站', { language: 'zh', words: [['火车'], ['站']] })).toEqual([
    '火车站@0+2',
  ])
})

test('a token with a lemma from the source is a word, even inside a longer word of the analyser', () => {
  const words = wordsOf('zh', { 火车站: [], 车站: [] })
  const found = (...said: [string, string?][]) => {
    const timed = said.map(([text, lemma]) => ({ text, tStart: 0, tEnd: 9, ...(lemma && { lemma }) }))
    const cue = { tStart: 0, tEnd: 9, text: '火车站', words: timed }
    const tokens = tokenise(cue, 'zh')
    new ClipAnalyser('zh', words).analyse([{ ...cue, tokens }], null)
    return matchRuns(tokens, new Lexicon('zh', words)).map(
      ({ word, start, length }) => `${word.word}@${start}+${length}`,
    )
  }
  expect(found(['火'], ['车'], ['站'])).toEqual(['火车站@0+3'])
  expect(found(['火', '火'], ['车', '车'], ['站', '站'])).toEqual(['火车站@0+3', '车站@1+2'])
  expect(found(['火'], ['车站'])).toEqual(['火车站@0+2'])
  expect(found(['火'], ['车站', '车站'])).toEqual(['火车站@0+2', '车站@1+1'])
})

test('tokens that spell a form match, but not a short kana reading of a word in kanji', () => {
  const ja = (entries: Record<string, string[]>, ...said: string[]) =>
    runs(entries, said.join(''), { language: 'ja', words: said.map((text) => [text]) })
  expect(ja({ 食べる: ['食べました'] }, '食べ', 'まし', 'た')).toEqual(['~食べる@0+3'])
  expect(ja({ 下さい: ['ください'] }, 'くだ', 'さい')).toEqual(['~下さい@0+2'])
  expect(ja({ ある: ['あった'] }, 'あっ', 'た')).toEqual(['~ある@0+2'])
  expect(
    ja({ 角: ['つの'], 消化: ['しょうか'], 糊: ['ノリ'] }, '二つ', 'つ', 'の', 'しょう', 'か', 'ノ', 'リ'),
  ).toEqual([])
  expect(ja({ 琴: ['こと'], 事: ['こと'] }, 'こと')).toEqual(['~事@0+1'])
  expect(ja({ つの: [] }, 'つ', 'の')).toEqual(['つの@0+2'])
})

test('in Vietnamese, the syllables of a word are not words', () => {
  const vietnamese = { 'học sinh': [], học: [], sinh: [], 'trung học': [] }
  expect(runs(vietnamese, 'Học sinh đi học', { language: 'vi' })).toEqual(['học sinh@0+2', 'học@3+1'])
  expect(runs(vietnamese, 'trung học sinh', { language: 'vi' })).toEqual(['trung học@0+2', 'học sinh@1+2'])
})

test('a headword with vowel points matches text without them, and vice versa', () => {
  expect(runs({ كَتَبَ: [] }, 'كتب', { language: 'ar' })).toEqual(['كَتَبَ@0+1'])
  expect(runs({ كتب: [] }, 'كَتَبَ', { language: 'ar' })).toEqual(['كتب@0+1'])
})

test('a run has at most as many tokens as a headword may have parts', () => {
  const said = (count: number) => 'ab'.repeat(count)
  const words = [...said(13)].map((text): [string] => [text])
  const matched = (count: number) => runs({ [said(count)]: [] }, said(13), { language: 'ja', words })
  expect(matched(6)).toContain(`${said(6)}@0+12`)
  expect(matched(7)).toEqual([])
})

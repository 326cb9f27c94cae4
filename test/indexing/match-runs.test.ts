import { describe, expect, test } from 'vitest'
import { ClipAnalyser } from '#indexing/clip-analyser.ts'
import { Lexicon } from '#indexing/lexicon.ts'
import { matchRuns } from '#indexing/match-runs.ts'
import { tokenise } from '#indexing/tokenise.ts'

/**
 * What is said of the headwords (`headword: forms`), as `headword@start+length`; a form has a `~`.
 */
function runs(
  entries: Record<string, string[]>,
  text: string,
  { language = 'en', words }: { language?: string; words?: [string, string?][] } = {},
): string[] {
  const catalogue = Object.entries(entries).map(([word, forms], wordId) => ({
    wordId,
    language,
    word,
    level: 'A1' as const,
    meanings: {},
    forms,
  }))
  const timed = words?.map(([said, lemma], i) => ({
    text: said,
    tStart: i,
    tEnd: i,
    ...(lemma ? { lemma } : {}),
  }))
  const tokens = tokenise({ tStart: 0, tEnd: 9, text, ...(timed ? { words: timed } : {}) }, language)
  return matchRuns(tokens, new Lexicon(language, catalogue)).map(
    ({ word, start, length, headword }) => `${headword ? '' : '~'}${word.word}@${start}+${length}`,
  )
}

test('headwords and forms match ignoring case', () => {
  expect(runs({ run: ['ran'] }, 'Ran, RUN running')).toEqual(['~run@0+1', 'run@1+1'])
})

test("’ is taken for '", () => {
  expect(runs({ "o'clock": [] }, 'One o’clock')).toEqual(["o'clock@1+1"])
  expect(runs({ 'o’clock': [] }, "One o'clock")).toEqual(['o’clock@1+1'])
})

test('Turkish I is ı and İ is i', () => {
  expect(runs({ ırmak: [], iyi: [] }, 'IRMAK İYİ Iyi', { language: 'tr' })).toEqual(['ırmak@0+1', 'iyi@1+1'])
})

test('Greek final sigma is sigma', () => {
  expect(runs({ δρόμος: [] }, 'ΔΡΌΜΟΣ', { language: 'el' })).toEqual(['δρόμος@0+1'])
})

test('diacritics count', () => {
  expect(runs({ resume: [] }, 'My résumé')).toEqual([])
})

describe('phrases', () => {
  test('match runs of tokens, and their tokens count for the single words too', () => {
    expect(runs({ 'look after': ['looks after'], after: [] }, 'She looks after me')).toEqual([
      '~look after@1+2',
      'after@2+1',
    ])
  })

  test('match by the lemmas that an analyser gives, and by listed forms of their words', () => {
    const catalogue = { 'look after': [], 'be able to': [], look: ['looking'] }
    const cue = { tStart: 0, tEnd: 9, text: "She looked after me, looking after you; I'm able to" }
    const tokens = tokenise(cue, 'en')
    const words = Object.entries(catalogue).map(([word, forms], wordId) => ({
      wordId,
      language: 'en',
      word,
      level: 'A1' as const,
      meanings: {},
      forms,
    }))
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

  test('do not span a sentence end, but a comma', () => {
    expect(runs({ 'look after': [] }, 'Look. After you. Look, after')).toEqual(['look after@3+2'])
  })

  test('hyphen and space are the same', () => {
    expect(runs({ 'ice-cream': [] }, 'ice cream, ice-cream')).toEqual(['ice-cream@0+2', 'ice-cream@2+1'])
    expect(runs({ 'mother in law': [] }, 'my mother-in-law, my mother in-law')).toEqual([
      'mother in law@1+1',
      'mother in law@3+2',
    ])
  })

  test('a hyphenated token is not taken apart', () => {
    expect(runs({ known: [], well: [] }, 'a well-known one')).toEqual([])
  })

  test('from one token, the longest run of a word counts once', () => {
    expect(runs({ look: ['look after'] }, 'look after')).toEqual(['~look@0+2'])
  })

  test('two runs of one word may overlap when they start apart', () => {
    expect(runs({ 'bye bye': [] }, 'bye bye bye')).toEqual(['bye bye@0+2', 'bye bye@1+2'])
  })
})

describe('lemmas', () => {
  const words: [string, string?][] = [['saw', 'see'], ['it']]

  test('a token with a lemma counts under the words that the lemma heads, and no others', () => {
    expect(runs({ see: [], saw: [] }, 'saw it', { words })).toEqual(['see@0+1'])
  })

  test('a lemma that names no headword: under nothing, though a form is spelled so', () => {
    expect(runs({ saw: [], watch: ['see'] }, 'saw it', { words })).toEqual([])
  })

  test('phrases go by the texts', () => {
    expect(runs({ 'saw it': [], 'see it': [] }, 'saw it', { words })).toEqual(['saw it@0+2'])
  })
})

test('in ja and zh tokens that joined spell a headword match', () => {
  const words: [string][] = [['食べ'], ['物']]
  expect(runs({ 食べ物: [] }, '食べ物', { language: 'ja', words })).toEqual(['食べ物@0+2'])
  expect(runs({ 食べ物: [] }, '食べ。物', { language: 'ja', words })).toEqual([])
  expect(runs({ 火车站: [] }, '火车站', { language: 'zh', words: [['火车'], ['站']] })).toEqual([
    '火车站@0+2',
  ])
})

test('so do tokens that spell a form, but not a short reading in kana of a word written in kanji', () => {
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

test('elsewhere they do not', () => {
  expect(runs({ cannot: [] }, 'can not')).toEqual([])
})

test('in Vietnamese, the syllables of a word are no words of their own', () => {
  const vietnamese = { 'học sinh': [], học: [], sinh: [], 'trung học': [] }
  expect(runs(vietnamese, 'Học sinh đi học', { language: 'vi' })).toEqual(['học sinh@0+2', 'học@3+1'])
  expect(runs(vietnamese, 'trung học sinh', { language: 'vi' })).toEqual(['trung học@0+2', 'học sinh@1+2'])
})

test('a headword with vowel points is found without them, and the other way round', () => {
  expect(runs({ كَتَبَ: [] }, 'كتب', { language: 'ar' })).toEqual(['كَتَبَ@0+1'])
  expect(runs({ كتب: [] }, 'كَتَبَ', { language: 'ar' })).toEqual(['كتب@0+1'])
})

test('a headword of punctuation alone is never matched', () => {
  expect(runs({ '…': [] }, 'well … known')).toEqual([])
})

test('a run has at most as many tokens as a headword may have parts', () => {
  const said = (count: number) => 'ab'.repeat(count)
  const words = [...said(13)].map((text): [string] => [text])
  const matched = (count: number) => runs({ [said(count)]: [] }, said(13), { language: 'ja', words })
  expect(matched(6)).toContain(`${said(6)}@0+12`)
  expect(matched(7)).toEqual([])
})

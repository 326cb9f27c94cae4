import { describe, expect, test } from 'vitest'
import { Lexicon } from '#indexing/lexicon.ts'
import { matchRuns } from '#indexing/match-runs.ts'
import { tokenise } from '#indexing/tokenise.ts'

/** What is said of the headwords (`headword: forms`), as `headword@start+length`; a form has a `~`. */
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

describe('in ja and zh, inside a token that is under no word', () => {
  const zh = (entries: Record<string, string[]>, word: string) =>
    runs(entries, word, { language: 'zh', words: [[word]] })

  test('the longest spellings from its start count', () => {
    expect(zh({ 机器: [], 学习: [], 器学: [] }, '机器学习')).toEqual(['机器@0+1', '学习@0+1'])
    expect(zh({ 学: [], 学习: [], 学习者: [] }, '大学习者们')).toEqual(['学习者@0+1'])
  })

  test('one sign that stands alone counts in zh where spellings make up all of the token', () => {
    expect(zh({ 祝: [], 你: [] }, '祝你')).toEqual(['你@0+1'])
    expect(zh({ 数: [], 学: [] }, '数学')).toEqual([])
    expect(zh({ 你: [] }, '祝你')).toEqual([])
    expect(runs({ 大: [], 人: [] }, '大人', { language: 'ja', words: [['大人']] })).toEqual([])
  })

  test('kana alone do not, forms do, and a word is counted once', () => {
    expect(
      runs({ クリーム: [], 機械: [] }, 'アイスクリーム', { language: 'ja', words: [['アイスクリーム']] }),
    ).toEqual([])
    expect(zh({ 學習: ['学习'] }, '学习学习吧')).toEqual(['~學習@0+1'])
  })

  test('a token under a word, or with a lemma, is not looked into', () => {
    expect(zh({ 大学生: [], 大学: [] }, '大学生')).toEqual(['大学生@0+1'])
    expect(runs({ 大学: [] }, '大学生', { language: 'zh', words: [['大学生', '学生']] })).toEqual([])
  })
})

describe('in English, a token with an apostrophe that is under no word', () => {
  test('counts under the words that it is made of', () => {
    expect(
      runs(
        { do: [], not: [], can: [], will: [], be: ['are', 'am'], they: [], I: [], 'a.m.': ['am'] },
        "don’t can't won't they're I'm",
      ),
    ).toEqual([
      'do@0+1',
      'not@0+1',
      'can@1+1',
      'not@1+1',
      'will@2+1',
      'not@2+1',
      'they@3+1',
      'be@3+1',
      'I@4+1',
      'be@4+1',
    ])
    expect(runs({ world: [], be: [], have: [] }, "the world's should've")).toEqual(['world@1+1', 'have@2+1'])
  })

  test('but one that is a headword or a form counts as that alone', () => {
    expect(runs({ "don't": [], do: [], I: ["I'm"], am: [] }, "don't I'm")).toEqual(["don't@0+1", '~I@1+1'])
  })

  test('other apostrophes and other languages are left alone', () => {
    expect(runs({ clock: [], o: [], ai: [], s: [] }, "o'clock ain't 's")).toEqual(['s@2+1'])
    expect(runs({ world: [] }, "world's", { language: 'tr' })).toEqual([])
  })
})

test('inflected Japanese is found under the headword whose form it is, however it is cut', () => {
  const entries = { 食べる: ['食べました'], 寿司: [] }
  expect(runs(entries, '寿司を食べました。', { language: 'ja' })).toEqual([
    '寿司@0+1',
    expect.stringMatching(/^~食べる@2\+[1-4]$/),
  ])
})

test('elsewhere they do not', () => {
  expect(runs({ cannot: [] }, 'can not')).toEqual([])
})

test('a headword of punctuation alone is never matched', () => {
  expect(runs({ '…': [] }, 'well … known')).toEqual([])
})

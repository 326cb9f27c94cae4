import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ClipAnalyser } from '#nightly/index/clip-analyser.ts'
import { Lexicon } from '#nightly/index/lexicon.ts'
import { matchRuns } from '#nightly/index/match-runs.ts'
import { tokeniseCues } from '#nightly/index/tokenise.ts'
import { shareOf } from '../../harness/fault-rounds.ts'
import { wordsOf } from './words-of.ts'

type Verdict = 'right' | 'homograph' | 'wrong'

/** A line of subtitles that a person judged (test/fixtures/judged/README.md). */
interface Judged {
  text: string
  /** Occurrences that were found: headword, spoken form, verdict. */
  hits?: [word: string, form: string, verdict: Verdict][]
  /** Every word of the catalogue in the line; of `a/b`, either may be found. */
  said?: string[]
  /** Words that may also be found. */
  also?: string[]
}

function fixture(name: string): string[] {
  return readFileSync(`${import.meta.dirname}/../../fixtures/judged/${name}`, 'utf8')
    .trimEnd()
    .split('\n')
}

/** Returns the words found in each line. `catalogue` contains the forms of each word. */
function found(
  language: string,
  lines: readonly Judged[],
  catalogue: Record<string, string[]> = judgedWords(language),
): { word: string; form: string }[][] {
  const words = wordsOf(language, catalogue)
  const lexicon = new Lexicon(language, words)
  const cues = tokeniseCues(
    lines.map(({ text }) => ({ tStart: 0, tEnd: 1, text })),
    language,
  )
  new ClipAnalyser(language, words).analyse(cues, null)
  return cues.map(({ tokens }) =>
    matchRuns(tokens, lexicon).map(({ word, start, length }) => {
      const said = tokens.slice(start, start + length).map(({ text }) => text)
      return { word: word.word, form: said.join(lexicon.joins ? '' : ' ') }
    }),
  )
}

function judgedWords(language: string): Record<string, string[]> {
  const lines = fixture(`${language}-words.tsv`).map((line) => line.split('\t'))
  return Object.fromEntries(lines.map(([word, ...forms]) => [word, forms]))
}

/** Counts the judged occurrences that are found, by verdict. */
function countVerdicts(language: string, lines: readonly Judged[]): Record<Verdict, number> {
  const count = { right: 0, homograph: 0, wrong: 0 }
  for (const [i, hits] of found(language, lines).entries())
    for (const [word, form, verdict] of lines[i]!.hits!)
      if (hits.some((hit) => hit.word === word && hit.form === form)) count[verdict]++
  return count
}

/** Counts the spoken words that are found, and the words found that are not spoken. */
function countSaid(language: string, lines: readonly Judged[], catalogue?: Record<string, string[]>) {
  const count = { said: 0, found: 0, words: 0, notSaid: 0 }
  for (const [i, hits] of found(language, lines, catalogue).entries()) {
    const words = new Set(hits.map(({ word }) => word))
    const said = lines[i]!.said!.map((either) => either.split('/'))
    const right = new Set([...said, ...(lines[i]!.also ?? []).map((either) => either.split('/'))].flat())
    count.said += said.length
    count.found += said.filter((either) => either.some((word) => words.has(word))).length
    count.words += words.size
    count.notSaid += [...words].filter((word) => !right.has(word)).length
  }
  return count
}

/**
 * If the analyser of a language finds more correct or fewer incorrect words, raise the figures here
 * and in the table of src/site/content/docs/design/index-of-words.md.
 */
const subtitles = shareOf([
  { language: 'es', hits: { right: 42, homograph: 0, wrong: 0 }, lines: { found: 139, notSaid: 0 } },
  { language: 'ja', hits: { right: 149, homograph: 2, wrong: 1 }, lines: { found: 231, notSaid: 9 } },
  { language: 'pt', hits: { right: 35, homograph: 0, wrong: 0 }, lines: { found: 86, notSaid: 1 } },
  { language: 'ru', hits: { right: 198, homograph: 1, wrong: 0 }, lines: { found: 280, notSaid: 7 } },
  { language: 'zh', hits: { right: 192, homograph: 1, wrong: 1 }, lines: { found: 378, notSaid: 1 } },
])
const everydaySpeech = shareOf([
  { language: 'de', lines: { found: 151, notSaid: 0 } },
  { language: 'fr', lines: { found: 136, notSaid: 1 } },
  { language: 'it', lines: { found: 132, notSaid: 1 } },
  { language: 'ko', lines: { found: 148, notSaid: 2 } },
])

const judged = (language: string) => fixture(`${language}.jsonl`).map((line) => JSON.parse(line) as Judged)

test.each(subtitles)(
  'finds exactly the recorded numbers of correct and incorrect hits in judged subtitles: $language',
  ({ language, hits }) => {
    const lines = judged(language).filter((line) => line.hits)
    const count = countVerdicts(language, lines)
    expect(count).toEqual(hits)
    expect(count.right / (count.right + count.homograph + count.wrong)).toBeGreaterThanOrEqual(0.95)
  },
)

test.each([...subtitles, ...everydaySpeech])(
  'finds 95 % of the spoken words in judged lines, and 95 % of the words it finds are spoken: $language',
  ({ language, lines: figures }) => {
    const lines = judged(language).filter((line) => line.said)
    const count = countSaid(language, lines)
    expect(count).toMatchObject(figures)
    expect(count.found / count.said).toBeGreaterThanOrEqual(0.95)
    expect(1 - count.notSaid / count.words).toBeGreaterThanOrEqual(0.95)
  },
)

/**
 * Lines that a person wrote, with every word in them, before seeing the result. The catalogue
 * contains the words of all lines in the language.
 */
test.each(
  shareOf([
    { language: 'en', found: 255, notSaid: 3 },
    { language: 'es', found: 216, notSaid: 2 },
    { language: 'ja', found: 186, notSaid: 2 },
    { language: 'pt', found: 212, notSaid: 5 },
    { language: 'ru', found: 173, notSaid: 2 },
    { language: 'tr', found: 120, notSaid: 0 },
    { language: 'zh', found: 197, notSaid: 1 },
    { language: 'nl', found: 237, notSaid: 7 },
    { language: 'pl', found: 188, notSaid: 3 },
    { language: 'sv', found: 213, notSaid: 4 },
    { language: 'cs', found: 186, notSaid: 0 },
  ]),
)('written lines of everyday speech: $language', ({ language, ...lines }) => {
  const catalogue = new Map<string, string[]>()
  const written = fixture(`written/${language}.tsv`).map((line): Judged => {
    const [text, words] = line.split('\t') as [string, string]
    const said = words.split(' ').map((either) =>
      either.split('/').map((word) => {
        const [headword, ...forms] = word.replaceAll('_', ' ').split('=') as [string, ...string[]]
        catalogue.set(headword, forms.length > 0 ? forms : (catalogue.get(headword) ?? []))
        return headword
      }),
    )
    return { text, said: said.map((either) => either.join('/')) }
  })
  const count = countSaid(language, written, Object.fromEntries(catalogue))
  expect(count).toMatchObject(lines)
  expect(count.found / count.said).toBeGreaterThanOrEqual(0.92)
  expect(1 - count.notSaid / count.words).toBeGreaterThanOrEqual(0.95)
})

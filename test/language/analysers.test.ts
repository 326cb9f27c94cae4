import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Analyser, TokenWord, Vocabulary } from '#language/analysers/analyser.ts'
import { openAnalyser } from '#language/analysers/open-analyser.ts'
import { segment } from '#language/segment.ts'

/** A line of `fixtures/analysed.txt`, under its heading. */
type Case = { heading: string; language: string; headwords: string[]; text: string; expected: string }

function readCases(): Case[] {
  const lines = readFileSync(new URL('../fixtures/analysed.txt', import.meta.url), 'utf8').split('\n')
  let heading = ''
  return lines.flatMap((line) => {
    if (line.startsWith('# ')) heading = line.slice(2)
    if (line === '' || line.startsWith('# ')) return []
    const [language, headwords, text, expected = ''] = line.split(/ \|(?: |$)/)
    return { heading, language: language!, headwords: headwords!.split(', '), text: text!, expected }
  })
}

function vocabularyOf(words: string[]): Vocabulary {
  return { headwords: words, has: (text) => words.includes(text.toLocaleLowerCase()) }
}

function openWith(language: string, cases: readonly Case[]): Analyser {
  const words = new Set(cases.flatMap(({ headwords }) => headwords))
  return openAnalyser(language, vocabularyOf([...words].filter((word) => word !== '')))
}

/** The words found, as `text→lemma/lemma`; particles and auxiliaries have a `*`. */
function found({ language, text }: Case, analyser: Analyser): string {
  if ('analyse' in analyser)
    return analyser
      .analyse([text])[0]!
      .words.map((word) => describeWord(text.slice(word.start, word.end), word))
      .join(', ')
  const tokens = segment(text, language)
  const words = analyser.wordsOf(tokens, text).flatMap((words, i) =>
    (words ?? []).map((word) => {
      const said = tokens.slice(i, i + word.length).map((token) => token.text)
      return describeWord(said.join(' '), word)
    }),
  )
  return words.join(', ')
}

function describeWord(
  said: string,
  { lemmas, isFunctionWord }: Pick<TokenWord, 'lemmas' | 'isFunctionWord'>,
) {
  return `${said}→${lemmas.join('/')}${isFunctionWord ? '*' : ''}`
}

/** Languages in which each case has its own vocabulary. */
const withoutDictionary = ['en', 'es', 'pt']

// Some dictionaries take a second to open: the cases of a language share one.
describe.each([...Map.groupBy(readCases(), ({ language }) => language)])('%s', (language, cases) => {
  let shared: Analyser
  beforeAll(() => void (shared = openWith(language, cases)))

  test.each(cases)('$heading: "$text"', (each) => {
    const analyser = withoutDictionary.includes(language) ? openWith(language, [each]) : shared
    expect(found(each, analyser)).toBe(each.expected)
  })
})

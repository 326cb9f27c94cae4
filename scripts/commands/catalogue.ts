import { languageSchema } from '#contract/clip.ts'
import { checkCatalogue, type CatalogueFindings, type Clash } from '#corpus/check-catalogue.ts'
import { formatProblem } from '#corpus/problem.ts'
import { readCatalogue } from '#corpus/read-catalogue.ts'
import { Rejection } from '#corpus/import/rejection.ts'
import { importCatalogue } from '#corpus/import/words/import-catalogue.ts'
import { countText } from '#kit/count-text.ts'
import { sayReport } from '../say-report.ts'
import { checkValue, Failure, positionals, type Input } from '../command-line.ts'

/** The number of findings of each kind that are named; `--json` names all. */
const maxExamples = 20

async function importWords(input: Input): Promise<number> {
  const [file] = positionals(input, 'FILE')
  const corpus = input.path(input.values.corpus!)
  const language = checkValue('language', languageSchema, input.values.language!)
  const { catalogue, problems } = await readCatalogue(corpus)
  sayReport(input, problems.map(formatProblem), 'broken')
  if (problems.length > 0) {
    const faults = countText(problems.length, 'fault')
    throw new Failure(`the catalogue in ${input.values.corpus} has ${faults}. Nothing was imported`)
  }
  const options = { corpus, language, overwrite: input.switches.overwrite! }
  const report = await importCatalogue(input.path(file!), file!, catalogue, options).catch((error) => {
    throw error instanceof Rejection ? new Failure(`${file} ${error.message}`) : error
  })
  const { added, changed, unchanged, rejected, conflicts } = report
  sayReport(input, report.problems.map(formatProblem), 'rejected')
  const differences = conflicts.map(({ word, kept, other }) => `"${word}": ${kept} kept, not ${other}`)
  sayReport(input, differences, 'level')
  const text = `${added} added, ${changed} changed, ${unchanged} unchanged, ${rejected} rejected; ${conflicts.length} levels differ`
  input.print(report, text)
  return added + changed + unchanged > 0 ? 0 : 1
}

async function check(input: Input): Promise<number> {
  const requestedLanguage =
    input.values.language && checkValue('language', languageSchema, input.values.language)
  const { catalogue, problems, warnings } = await readCatalogue(input.path(input.values.corpus!), {
    maxWarnings: Infinity,
  })
  sayReport(input, problems.map(formatProblem), 'broken')
  sayReport(input, warnings.map(formatProblem), 'warning')
  const languages = [...catalogue]
    .filter(([language]) => !requestedLanguage || language === requestedLanguage)
    .map(([language, words]) => ({ language, ...checkCatalogue(words, language) }))
  input.print({ problems, warnings, languages }, languages.map(describe).join('\n\n'))
  return problems.length > 0 ? 1 : 0
}

function describe(findings: CatalogueFindings & { language: string }): string {
  const { language, words, withoutMeaning, missing, clashes, levelConflicts } = findings
  const glosses = Object.entries(missing).map(([gloss, count]) => `${gloss} ${count}`)
  const wordsWithoutMeaning = withoutMeaning.map(({ word }) => word)
  return [
    `${language}: ${countText(words, 'word')}`,
    `  without a meaning, by gloss: ${glosses.join(', ')}`,
    list('without an English meaning', wordsWithoutMeaning),
    list('spellings shared by several words', clashes.map(describeClash)),
    list('of these, with different levels', levelConflicts.map(describeClash)),
  ].join('\n')
}

function describeClash({ spelling, words }: Clash): string {
  return `${spelling} (${words.map(({ word, level }) => `${word} ${level}`).join(', ')})`
}

function list(title: string, items: readonly string[]): string {
  const more =
    items.length > maxExamples ? `; … and ${items.length - maxExamples} more (--json lists all)` : ''
  const examples = items.length > 0 ? `: ${items.slice(0, maxExamples).join('; ')}${more}` : ''
  return `  ${items.length} ${title}${examples}`
}

export const commands = { 'catalogue import': importWords, 'catalogue check': check }

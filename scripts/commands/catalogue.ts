import { languageSchema } from '#contract/clip.ts'
import { checkCatalogue, type CatalogueFindings, type Clash } from '#corpus/check-catalogue.ts'
import { formatProblem, type Problem } from '#corpus/problem.ts'
import { readCatalogue } from '#corpus/read-catalogue.ts'
import { BrokenCatalogue, importCatalogue, type CatalogueImport } from '#importing/words/import-catalogue.ts'
import { Rejection } from '#importing/rejection.ts'
import { sayReport } from '../say-report.ts'
import { checked, Failure, positionals, type Input } from '../command-line.ts'

/** How many findings of a kind are named; `--json` names them all. */
const shown = 20

async function importWords(input: Input): Promise<number> {
  const [file] = positionals(input, 'FILE')
  const done = await merge(input, file!)
  sayReport(
    input,
    done.problems.map((problem) => `rejected  ${formatProblem(problem)}`),
  )
  sayReport(
    input,
    done.conflicts.map(({ word, kept, other }) => `level     "${word}": ${kept} kept, not ${other}`),
  )
  const { added, changed, unchanged, rejected, conflicts } = done
  const text = `${added} added, ${changed} changed, ${unchanged} unchanged, ${rejected} rejected; ${conflicts.length} levels differ`
  input.print(done, text)
  return added + changed + unchanged > 0 ? 0 : 1
}

async function check(input: Input): Promise<number> {
  const wanted = input.values.language && checked('language', languageSchema, input.values.language)
  const { catalogue, problems, warnings } = await readCatalogue(input.path(input.values.corpus!), Infinity)
  sayProblems(input, problems)
  sayReport(
    input,
    warnings.map((warning) => `warning   ${formatProblem(warning)}`),
  )
  const found = [...catalogue]
    .filter(([language]) => wanted === undefined || language === wanted)
    .map(([language, words]) => ({ language, ...checkCatalogue(words, language) }))
  input.print(
    { problems, warnings, languages: found },
    found.map((findings) => describe(findings.language, findings)).join('\n\n'),
  )
  return problems.length > 0 ? 1 : 0
}

async function merge(input: Input, file: string): Promise<CatalogueImport> {
  try {
    return await importCatalogue(input.path(file), file, {
      corpus: input.path(input.values.corpus!),
      language: checked('language', languageSchema, input.values.language!),
      overwrite: input.switches.overwrite!,
    })
  } catch (error) {
    if (error instanceof BrokenCatalogue) sayProblems(input, error.problems)
    if (error instanceof BrokenCatalogue || error instanceof Rejection)
      throw new Failure(`${file}: ${error.message}`)
    throw error
  }
}

function sayProblems(input: Input, problems: readonly Problem[]): void {
  sayReport(
    input,
    problems.map((problem) => `broken    ${formatProblem(problem)}`),
  )
}

function describe(language: string, findings: CatalogueFindings): string {
  const { words, withoutMeaning, missing, clashes, levelConflicts } = findings
  const glosses = Object.entries(missing).map(([gloss, count]) => `${gloss} ${count}`)
  return [
    `${language}: ${words} words`,
    `  without a meaning, by gloss: ${glosses.join(', ')}`,
    list(
      'without an English meaning',
      withoutMeaning.map(({ word }) => word),
    ),
    list('spellings shared by several words', clashes.map(describeClash)),
    list('of these, with different levels', levelConflicts.map(describeClash)),
  ].join('\n')
}

function describeClash({ spelling, words }: Clash): string {
  return `${spelling} (${words.map(({ word, level }) => `${word} ${level}`).join(', ')})`
}

function list(title: string, items: readonly string[]): string {
  const more = items.length > shown ? `; … and ${items.length - shown} more (--json lists all)` : ''
  const named = items.length > 0 ? `: ${items.slice(0, shown).join('; ')}${more}` : ''
  return `  ${items.length} ${title}${named}`
}

export const commands = { 'catalogue import': importWords, 'catalogue check': check }

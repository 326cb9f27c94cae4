import { languageSchema, videoIdSchema } from '#contract/clip.ts'
import { levelSchema } from '#contract/levels.ts'
import { readCatalogue } from '#corpus/read-catalogue.ts'
import { encodingOf } from '#corpus/import/formats/decode-text.ts'
import { explainFile } from '#corpus/import/explain-file.ts'
import { findFiles } from '#corpus/import/find-files.ts'
import { importFiles, type FileReport, type ImportReport } from '#corpus/import/import-files.ts'
import { readUtf8 } from '#corpus/import/read-bytes.ts'
import { Rejection } from '#corpus/import/rejection.ts'
import { compileNamePattern } from '#corpus/import/video/file-names.ts'
import { indexDescriptions, parseMetadataTable } from '#corpus/import/video/metadata-table.ts'
import { countText } from '#kit/count-text.ts'
import { levelSuggester } from '#nightly/index/suggest-level.ts'
import { missingAnalyser } from '#nightly/index/version.ts'
import { atomicWrite } from '#kit/atomic-write.ts'
import { explainSystemError } from '#kit/explain-system-error.ts'
import { printable } from '#kit/printable.ts'
import { sayReport } from '../say-report.ts'
import {
  checkValue,
  Failure,
  orUsageError,
  UsageError,
  share,
  wholeNumber,
  type Input,
} from '../command-line.ts'

async function importSubtitles(input: Input): Promise<number> {
  const { positionals, switches, values } = input
  if (values.explain !== undefined) return explain(input, values.explain)
  if (values.corpus === undefined) throw new UsageError('the command needs --corpus DIR')
  if (positionals.length === 0)
    throw new UsageError('the command needs the paths of subtitle files or folders')
  const corpus = input.path(values.corpus)
  const language = checkValue('language', languageSchema, values.language!)
  const options = readOptions(values)
  const maxRejected = share('max-rejected', values['max-rejected'] ?? '100%')
  const { files, metadata } = await findFiles(
    positionals.map((argument) => ({ argument, absolute: input.path(argument) })),
  )
  const ofOneVideo = ['video-id', 'title', 'duration'].filter((name) => values[name] !== undefined)
  if (files.length > 1 && ofOneVideo.length > 0) {
    const condition = `can be used only with a single subtitle file, but there are ${files.length}`
    throw new UsageError(`--${ofOneVideo.join(' and --')} ${condition}`)
  }
  if (files.length === 0) input.say(`There are no subtitle files in ${positionals.join(', ')}.`)
  const tables = input.lists.metadata!.map((argument) =>
    failing(`cannot read --metadata ${argument}`, readUtf8(input.path(argument)).then(parseMetadataTable)),
  )
  const descriptions = indexDescriptions([...(await Promise.all(tables)).flat(), ...metadata])
  const suggestLevel = switches['suggest-level'] ? await suggesterOf(corpus, language) : undefined
  const reports: FileReport[] = []
  const importing = importFiles(files, {
    ...options,
    corpus,
    language,
    descriptions,
    overwrite: switches.overwrite!,
    isDryRun: switches['dry-run'],
    suggestLevel,
    onFile: (file) => input.progress(`${reports.push(file)} of ${files.length} files`),
  }).finally(() => {
    input.progress('')
    if (switches['dry-run']) return
    // If the report is shortened, it then shows the files that need attention.
    const isRejected = ({ outcome }: FileReport) => Number(outcome === 'rejected')
    sayReport(input, reports.toSorted((a, b) => isRejected(b) - isRejected(a)).flatMap(describe))
  })
  const report = await failing(`cannot write the corpus ${corpus}`, importing)
  input.say(summary(report) + (switches['dry-run'] ? ' (dry run: nothing was written)' : ''))
  const missing = missingAnalyser(language)
  if (missing !== null) input.say(`warning: in "${language}", ${missing}.`)
  if (values.report !== undefined) {
    const path = input.path(values.report)
    const text = `${JSON.stringify(report, null, 2)}\n`
    await failing(`cannot write --report ${path}`, atomicWrite(path, text, { sync: false }))
  }
  input.print(report, switches['dry-run'] ? reports.flatMap(describe).join('\n') : '')
  return exitCode(report, maxRejected, input)
}

/** Shows what each cleaning step does to the cues of a file. */
async function explain(input: Input, file: string): Promise<number> {
  const language = checkValue('language', languageSchema, input.values.language!)
  const { encoding } = readOptions(input.values)
  const lines = await failing(`cannot read ${file}`, explainFile(input.path(file), language, encoding))
  input.print({ lines }, printable(lines.join('\n'), { isLines: true }))
  return 0
}

/** Reads what the user says about the files. @throws {UsageError} */
function readOptions(values: Input['values']) {
  const parseValue = <T>(name: string, parse: (value: string) => T): T | undefined =>
    values[name] === undefined ? undefined : parse(values[name])
  return {
    flagValues: {
      videoId: parseValue('video-id', (id) => checkValue('video-id', videoIdSchema, id)),
      title: values.title,
      channelId: values['channel-id'],
      channelName: values['channel-name'],
      level: parseValue('level', (level) => checkValue('level', levelSchema, level)),
      durationS: parseValue('duration', (seconds) => wholeNumber('duration', seconds, 1, 1e6)),
    },
    namePattern: parseValue('name-pattern', (pattern) =>
      orUsageError(() => compileNamePattern(pattern), `--name-pattern "${pattern}": `),
    ),
    translations: (values.translations ?? '')
      .split(',')
      .map((code) => code.trim())
      .filter((code) => code !== '')
      .map((code) => checkValue('translations', languageSchema, code)),
    encoding: parseValue('encoding', (name) =>
      orUsageError(
        () => encodingOf(name),
        '--encoding must be the name of an encoding, such as shift_jis or cp850: ',
      ),
    ),
  }
}

function exitCode({ imported, unchanged, rejected, files }: ImportReport, maxRejected: number, input: Input) {
  // Not `files.length * maxRejected`: 50 * 0.58 is 28.999….
  if (rejected / files.length > maxRejected) {
    const limit = `${Number((maxRejected * 100).toFixed(2))}% (--max-rejected)`
    input.say(`${rejected} of ${files.length} files were rejected, which is more than ${limit}.`)
    return 1
  }
  return imported + unchanged > 0 ? 0 : 1
}

async function suggesterOf(corpus: string, language: string) {
  const { catalogue } = await readCatalogue(corpus)
  const words = catalogue.get(language)
  if (words?.length) return levelSuggester(language, words)
  throw new Failure(
    `--suggest-level needs words in catalogue/${language}.jsonl of ${corpus}, but there are none`,
  )
}

/** Turns faults of the files that the user named into a failure with a message. */
async function failing<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Rejection || (error as NodeJS.ErrnoException).code !== undefined) {
      const it = error instanceof Rejection ? 'it ' : ''
      throw new Failure(printable(`${what}: ${it}${explainSystemError(error as Error)}`))
    }
    throw error
  }
}

/** `imported  a/b.vtt: 12 of 14 cues (dropped: 2 × no text); repaired: …`, and first lines. */
function describe(report: FileReport): string[] {
  const { file, outcome, reason, suggestion, translations, firstLines, ...counts } = report
  const { format, encoding, language, wordTiming } = report
  const isDryRun = firstLines !== undefined
  const parts = [
    ...(isDryRun ? [`${format}, ${encoding}, ${language}, word times ${wordTiming}`] : []),
    ...describeCounts(counts),
  ]
  if (suggestion) {
    const known = `${(suggestion.knownShare[suggestion.level] * 100).toFixed(1)}%`
    parts.push(`suggested level ${suggestion.level}: ${known} of ${suggestion.tokens} tokens known`)
  }
  for (const [language, { cues, leftOut, reason: fault }] of Object.entries(translations ?? {}))
    parts.push(
      fault === undefined
        ? `translation ${language}: ${cues - leftOut} of ${cues} cues used`
        : `the translation into ${language} ${fault}`,
    )
  const details = parts.join('; ')
  const text = reason === undefined ? `: ${details}` : ` ${reason}.${details && ` It has ${details}.`}`
  const line = `${outcome.padEnd(8)}  ${file}${text}`
  return [line, ...(firstLines ?? []).map((text) => `          ${text}`)]
}

function summary({ imported, skipped, unchanged, rejected, ...counts }: ImportReport): string {
  const there = unchanged > 0 ? ` (${unchanged} already in the corpus)` : ''
  const files = `${imported} imported, ${skipped} skipped${there}, ${rejected} rejected`
  return [files, ...describeCounts(counts)].join('; ')
}

/** Returns `12 of 14 cues (dropped: 2 × no text)` and `repaired: …`, if there are any. */
function describeCounts({ cues, repairs }: Pick<FileReport, 'cues' | 'repairs'>): string[] {
  if (!cues) return []
  const { in: cuesIn, out, dropped } = cues
  const list = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([what, count]) => `${count} × ${what}`)
      .join(', ')
  const cueCount = `${cuesIn === out ? '' : `${out} of `}${countText(cuesIn, 'cue')}`
  const dropCauses = list(dropped)
  const repairList = list(repairs ?? {})
  return [
    `${cueCount}${dropCauses && ` (dropped: ${dropCauses})`}`,
    ...(repairList ? [`repaired: ${repairList}`] : []),
  ]
}

export const commands = { import: importSubtitles }

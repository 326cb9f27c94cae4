import { languageSchema, videoIdSchema } from '#contract/clip.ts'
import { levelSchema } from '#contract/levels.ts'
import { readCatalogue } from '#corpus/read-catalogue.ts'
import { describeVideos } from '#importing/video/metadata-table.ts'
import { findFiles } from '#importing/find-files.ts'
import {
  importFiles,
  type FileReport,
  type ImportOptions,
  type ImportReport,
} from '#importing/import-files.ts'
import type { Metadata } from '#importing/video/metadata.ts'
import { compileNamePattern } from '#importing/video/file-names.ts'
import { Rejection } from '#importing/rejection.ts'
import { missingAnalyser } from '#indexing/version.ts'
import { levelSuggester } from '#indexing/suggest-level.ts'
import { explainSystemError } from '#kit/explain-system-error.ts'
import { printable } from '#kit/printable.ts'
import { atomicWrite } from '#kit/atomic-write.ts'
import { sayReport } from '../say-report.ts'
import {
  checked,
  Failure,
  orUsageError,
  UsageError,
  share,
  wholeNumber,
  type Input,
} from '../command-line.ts'

/** The options that describe one video: an error with several subtitle files. */
const ofOneVideo = ['video-id', 'title', 'duration'] as const

async function importSubtitles(input: Input): Promise<number> {
  const { positionals, switches, values } = input
  if (positionals.length === 0) throw new UsageError('missing <path>: specify subtitle files or folders')
  const options = readOptions(input)
  const maxRejected = values['max-rejected'] === undefined ? 1 : share('max-rejected', values['max-rejected'])
  const { files, metadata } = await findFiles(
    positionals.map((typed) => ({ typed, absolute: input.path(typed) })),
  )
  refuseSingle(values, files.length)
  if (files.length === 0) input.say(`no subtitle files in ${positionals.join(', ')}`)
  const tables = input.lists.metadata!.map((typed) => input.path(typed))
  const described = await failing('cannot read --metadata', () => describeVideos(tables, metadata))
  const suggest = switches['suggest-level'] ? await suggesterOf(options.corpus, options.language) : {}
  const lines: string[] = []
  const report = await failing(`cannot write the corpus ${options.corpus}`, () =>
    importFiles(files, {
      ...options,
      ...suggest,
      described,
      onFile(file) {
        lines.push(describe(file))
        input.progress(`${lines.length} of ${files.length} files`)
      },
    }),
  ).finally(() => {
    input.progress('')
    sayReport(input, rejectedFirst(lines))
  })
  input.say(summary(report))
  const missing = missingAnalyser(options.language)
  if (missing !== null) input.say(`warning: ${options.language}: ${missing}`)
  if (values.report !== undefined) {
    const path = input.path(values.report)
    const text = `${JSON.stringify(report, null, 2)}\n`
    await failing(`cannot write --report ${path}`, () => atomicWrite(path, text, { sync: false }))
  }
  input.print(report, '')
  return exitCode(report, maxRejected, input)
}

function exitCode({ imported, unchanged, rejected, files }: ImportReport, maxRejected: number, input: Input) {
  // Not `files.length * maxRejected`: 50 * 0.58 is 28.999….
  if (rejected / files.length > maxRejected) {
    const allowed = `${Number((maxRejected * 100).toFixed(2))}% (--max-rejected)`
    input.say(`${rejected} of ${files.length} files were rejected, more than ${allowed}`)
    return 1
  }
  return imported + unchanged > 0 ? 0 : 1
}

function readOptions(input: Input): ImportOptions {
  const { values, switches } = input
  const pattern = values['name-pattern']
  return {
    corpus: input.path(values.corpus!),
    language: checked('language', languageSchema, values.language!),
    given: givenMetadata(values),
    overwrite: switches.overwrite!,
    namePattern:
      pattern === undefined
        ? undefined
        : orUsageError(() => compileNamePattern(pattern), `--name-pattern "${pattern}": `),
    encoding: values.encoding === undefined ? undefined : encodingName(values.encoding),
  }
}

function refuseSingle(values: Input['values'], count: number): void {
  const single = ofOneVideo.filter((name) => values[name] !== undefined)
  if (count > 1 && single.length > 0)
    throw new UsageError(`--${single.join(', --')}: allowed only with a single subtitle file, got ${count}`)
}

function givenMetadata(values: Input['values']): Metadata {
  const { level, title, duration } = values
  return {
    videoId: values['video-id'] && checked('video-id', videoIdSchema, values['video-id']),
    title,
    channelId: values['channel-id'],
    channelName: values['channel-name'],
    level: level && checked('level', levelSchema, level),
    durationS: duration === undefined ? undefined : wholeNumber('duration', duration, 1, 1e6),
  }
}

function encodingName(name: string): string {
  try {
    return new TextDecoder(name).encoding
  } catch {
    throw new UsageError(`--encoding must name an encoding such as shift_jis or windows-1252, got "${name}"`)
  }
}

async function suggesterOf(corpus: string, language: string): Promise<Pick<ImportOptions, 'suggestLevel'>> {
  const { catalogue } = await readCatalogue(corpus)
  const words = catalogue.get(language)
  if (!words?.length)
    throw new Failure(`--suggest-level needs the words of catalogue/${language}.jsonl in ${corpus}`)
  return { suggestLevel: levelSuggester(language, words) }
}

/** Turns faults of files that the user named into a failure with a message. */
async function failing<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Rejection || (error as NodeJS.ErrnoException).code !== undefined)
      throw new Failure(`${what}: ${printable(explainSystemError(error as Error))}`)
    throw error
  }
}

/** A report that is cut then shows what has to be looked at. */
function rejectedFirst(lines: readonly string[]): string[] {
  return lines.toSorted((a, b) => Number(b.startsWith('rejected')) - Number(a.startsWith('rejected')))
}

/** `imported  a/b.vtt: 12 of 14 cues, 2 × no text; repaired: …`. */
function describe({ file, outcome, reason, cues, repairs, suggestion }: FileReport): string {
  const parts = [reason, cues && describeCues(cues), repairs && describeRepairs(repairs)]
  if (suggestion) {
    const share = `${(suggestion.knownShare[suggestion.level] * 100).toFixed(1)}%`
    parts.push(`suggested level ${suggestion.level}: ${share} of ${suggestion.tokens} tokens known`)
  }
  return `${outcome.padEnd(8)}  ${file}: ${parts.filter(Boolean).join('; ')}`
}

function describeCues({ in: found, out, dropped }: NonNullable<FileReport['cues']>): string {
  const lost = tally(dropped)
  return `${found === out ? found : `${out} of ${found}`} ${found === 1 ? 'cue' : 'cues'}${lost && ` (dropped: ${lost})`}`
}

function describeRepairs(repairs: NonNullable<FileReport['repairs']>): string {
  const repaired = tally(repairs)
  return repaired && `repaired: ${repaired}`
}

function tally(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([what, count]) => `${count} × ${what}`)
    .join(', ')
}

function summary({ imported, skipped, unchanged, rejected, cues, repairs }: ImportReport): string {
  const there = unchanged > 0 ? ` (${unchanged} already in the corpus)` : ''
  const counts = `${imported} imported, ${skipped} skipped${there}, ${rejected} rejected`
  return [counts, describeCues(cues), describeRepairs(repairs)].filter(Boolean).join('; ')
}

export const commands = { import: importSubtitles }

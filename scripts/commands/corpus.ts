import { countText } from '#kit/count-text.ts'
import { parseClip, type SourceClip } from '#corpus/source-clip.ts'
import { formatProblem } from '#corpus/problem.ts'
import { readCatalogue } from '#corpus/read-catalogue.ts'
import { readClips } from '#corpus/clip-files.ts'
import { corpusStats, type LanguageStats } from '#nightly/index/corpus-stats.ts'
import { missingAnalysers } from '#nightly/index/version.ts'
import { sampleHits } from '#nightly/index/sample-hits.ts'
import { seededRandom } from '#kit/seeded-random.ts'
import { sayReport } from '../say-report.ts'
import { Failure, wholeNumber, type Input } from '../command-line.ts'

/** The width of a full bar in characters. With the columns before it, a line has at most 80. */
const barWidth = 40

async function stats(input: Input): Promise<void> {
  const folder = input.path(input.values.corpus!)
  const { catalogue, problems } = await readCatalogue(folder)
  sayReport(input, problems.map(formatProblem), 'broken')
  sayReport(input, missingAnalysers(catalogue).map(formatProblem), 'warning')
  const rejectedLines: string[] = []
  const languages = await corpusStats(catalogue, soundClips(folder, rejectedLines))
  sayReport(input, rejectedLines, 'rejected')
  if (languages.length === 0) throw new Failure(`${folder} has no catalogue and no clips`)
  input.print({ languages, rejected: rejectedLines.length }, languages.map(describe).join('\n\n'))
}

/** Yields the clips that a build would accept. Adds a line about each other to `rejectedLines`. */
async function* soundClips(folder: string, rejectedLines: string[]): AsyncGenerator<SourceClip> {
  for await (const item of readClips(folder)) {
    const at = { file: item.file, ...(item.line === undefined ? {} : { line: item.line }) }
    const result = item.text === null ? { ok: false as const, reason: item.reason } : parseClip(item.text)
    if (result.ok) yield result.value
    else rejectedLines.push(formatProblem({ ...result, ...at }))
  }
}

function describe({ language, clips, totalDurationS, tokens, indexedTokens, levels }: LanguageStats): string {
  const words = levels.reduce((sum, level) => sum + level.words, 0)
  const wordsWithClips = levels.reduce((sum, level) => sum + level.wordsWithClips, 0)
  const rows = levels.map((at) => {
    const bar = '█'.repeat(Math.round((barWidth * at.wordsWithClips) / (at.words || 1))).padEnd(barWidth, '·')
    const share = percent(at.wordsWithClips, at.words)
    return `${at.level}${pad(at.clips)}${pad(at.words)}${pad(at.wordsWithClips)}  ${bar} ${share}`
  })
  return [
    `${language}  ${countText(clips, 'clip')}, ${Math.round(totalDurationS / 60)} min; ${wordsWithClips} of ${words} words spoken (${percent(wordsWithClips, words)}); ${percent(indexedTokens, tokens)} of ${tokens} tokens are in the catalogue`,
    `  ${pad('clips')}${pad('words')}${pad('spoken')}`,
    ...rows,
  ].join('\n')
}

function pad(cell: string | number): string {
  return String(cell).padStart(8)
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / (whole || 1)).toFixed(1)}%`
}

async function check(input: Input): Promise<void> {
  const { values } = input
  const language = values.language!
  const folder = input.path(values.corpus!)
  // The default: as many as a person can judge in half an hour.
  const count = wholeNumber('sample', values.sample!, 1, 100_000)
  const random = seededRandom(wholeNumber('seed', values.seed!, 0, 2 ** 32 - 1))
  const { catalogue } = await readCatalogue(folder)
  const words = catalogue.get(language)
  if (!words?.length) throw new Failure(`${folder} has no words in catalogue/${language}.jsonl`)
  sayReport(input, missingAnalysers(new Map([[language, words]])).map(formatProblem), 'warning')
  const hits = await sampleHits(words, soundClips(folder, []), { language, count, random })
  input.print(hits, hits.map(({ word, form, text }) => `${word}\t${form}\t${text}`).join('\n'))
}

export const commands = { 'corpus stats': stats, 'corpus check': check }

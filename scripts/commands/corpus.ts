import { parseClip } from '#corpus/parse-clip.ts'
import { formatProblem } from '#corpus/problem.ts'
import { readCatalogue } from '#corpus/read-catalogue.ts'
import { readClips } from '#corpus/read-clips.ts'
import type { SourceClip } from '#corpus/source-clip.ts'
import { corpusStats, type LanguageStats } from '#indexing/corpus-stats.ts'
import { bar } from '../bar.ts'
import { Failure, positionals, type Command } from '../command-line.ts'

/** Characters of a whole bar: with the columns before it, a line keeps to 80. */
const barWidth = 40

export const stats: Command = {
  options: { corpus: { value: 'DIR', description: 'the source corpus', required: true } },
  async run(input) {
    positionals(input)
    const folder = input.path(input.values.corpus!)
    const { catalogue, problems } = await readCatalogue(folder)
    for (const problem of problems) input.say(`broken    ${formatProblem(problem)}`)
    const rejected: string[] = []
    const languages = await corpusStats(catalogue, soundClips(folder, rejected))
    for (const line of rejected) input.say(`rejected  ${line}`)
    if (languages.length === 0) throw new Failure(`${folder} holds no catalogue and no clips`)
    input.print({ languages, rejected: rejected.length }, languages.map(describe).join('\n\n'))
  },
}

/** The clips that a build would take. A line about each other one goes into `rejected`. */
async function* soundClips(folder: string, rejected: string[]): AsyncGenerator<SourceClip> {
  for await (const item of readClips(folder)) {
    const at = { file: item.file, ...(item.line === undefined ? {} : { line: item.line }) }
    const parsed = item.text === null ? { ok: false as const, reason: item.reason } : parseClip(item.text)
    if (parsed.ok) yield parsed.value
    else rejected.push(formatProblem({ ...parsed, ...at }))
  }
}

function describe({ language, clips, totalDurationS, tokens, indexedTokens, levels }: LanguageStats): string {
  const words = levels.reduce((sum, level) => sum + level.words, 0)
  const said = levels.reduce((sum, level) => sum + level.wordsWithClips, 0)
  const rows = levels.map(
    (at) =>
      `${at.level}${pad(at.clips)}${pad(at.words)}${pad(at.wordsWithClips)}  ${bar(ratio(at.wordsWithClips, at.words), barWidth)} ${percent(at.wordsWithClips, at.words)}`,
  )
  return [
    `${language}  ${clips} clips, ${Math.round(totalDurationS / 60)} min; ${said} of ${words} words said (${percent(said, words)}); ${percent(indexedTokens, tokens)} of ${tokens} tokens are words of the catalogue`,
    `  ${'clips'.padStart(8)}${'words'.padStart(8)}${'said'.padStart(8)}`,
    ...rows,
  ].join('\n')
}

function pad(count: number): string {
  return String(count).padStart(8)
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}

function percent(part: number, whole: number): string {
  return `${(ratio(part, whole) * 100).toFixed(1)} %`
}

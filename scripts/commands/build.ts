import { sayReport } from '../say-report.ts'
import { formatProblem } from '#corpus/problem.ts'
import { explainSystemError, isSystemError } from '#kit/explain-system-error.ts'
import { fixedClock, systemClock, type Clock } from '#kit/clock.ts'
import { build, type BuildSummary } from '#nightly/build.ts'
import { BuildStopped } from '#nightly/build-stopped.ts'
import { reportPath } from '#release/paths.ts'
import type { UrlTemplates } from '#nightly/render/records.ts'
import { buildProgress } from '../build-progress.ts'
import { Failure, share, UsageError, webAddress, type Input } from '../command-line.ts'
import { siteBuilder } from './site.ts'

async function buildRelease(input: Input): Promise<void> {
  const startedMs = performance.now()
  const summary = await runBuild(input)
  const { release, clips, words, rejected, changed, kept, heldRelease } = summary
  const durationMs = Math.round(performance.now() - startedMs)
  sayProblems(input, summary)
  if (heldRelease !== null && heldRelease !== release)
    input.say(
      `held back  release ${release}: ${heldRelease} stays in service until you run "releases resume"`,
    )
  const counts = { rejected: rejected.length, changed, kept: kept.length }
  input.print({ release, clips, words, ...counts, durationMs }, describe(summary, durationMs))
}

async function runBuild(input: Input): Promise<BuildSummary> {
  try {
    return await build({
      corpusFolder: input.path(input.values.corpus!),
      outFolder: input.path(input.values.out!),
      strict: input.switches.strict!,
      replace: input.switches['replace-changed']
        ? 'all'
        : new Set(input.lists.replace!.map((id) => id.toLowerCase())),
      maxShrink: share('max-shrink', input.values['max-shrink']!),
      urls: urls(input),
      clock: buildClock(input.env),
      buildSite: input.switches['no-site'] ? undefined : siteBuilder(input),
      newTree: input.switches['new-tree'],
      reproducible: Boolean(input.env.SOURCE_DATE_EPOCH),
      onProgress: buildProgress(input, () => performance.now()),
    }).finally(() => input.progress(''))
  } catch (error) {
    if (error instanceof BuildStopped) {
      sayReport(input, error.problems.map(formatProblem))
      throw new Failure(`build stopped: ${error.message}`)
    }
    if (error instanceof SyntaxError || isSystemError(error))
      throw new Failure(`build failed: ${explainSystemError(error as Error)}`, { cause: error })
    throw error
  }
}

function urls({ values }: Input): UrlTemplates {
  const template = (name: string) => {
    const url = webAddress(name, values[name]!)
    if (!url.includes('{videoId}'))
      throw new UsageError(`--${name} must contain {videoId}, but it is "${url}"`)
    return url
  }
  return { embedUrl: template('embed-url'), watchUrl: template('watch-url') }
}

function buildClock(env: NodeJS.ProcessEnv): Clock {
  const epoch = env.SOURCE_DATE_EPOCH
  if (epoch === undefined || epoch === '') return systemClock
  if (!/^\d{1,12}$/.test(epoch))
    throw new UsageError(`SOURCE_DATE_EPOCH must be a Unix time in whole seconds, but it is "${epoch}"`)
  return fixedClock(Number(epoch))
}

function sayProblems(input: Input, { rejected, kept, warnings, words, siteFault }: BuildSummary): void {
  if (words === 0)
    input.say(
      `warning   no catalogue/<language>.jsonl in "${input.path(input.values.corpus!)}": no clip can be found by word`,
    )
  if (siteFault !== null)
    for (const line of `warning   the developer site was not rebuilt: ${siteFault}`.split('\n'))
      input.say(line)
  const lines = [
    ...rejected.map((problem) => `rejected  ${formatProblem(problem)}`),
    ...kept.map(({ clipId, reason }) => `kept      ${clipId}: ${reason}`),
    ...warnings.map((problem) => `warning   ${formatProblem(problem)}`),
  ]
  sayReport(input, lines, undefined, `${input.path(input.values.out!)}/${reportPath}`)
}

function describe(summary: BuildSummary, durationMs: number): string {
  const { release, isNew, clips, words, rejected, changed, kept } = summary
  return [
    isNew ? `release   ${release}` : `release   ${release} (there is nothing new to publish)`,
    `clips     ${clips} (${changed} changed, ${kept.length} kept as published, ${rejected.length} rejected)`,
    `words     ${words}`,
    `took      ${(durationMs / 1000).toFixed(1)} s`,
  ].join('\n')
}

export const commands = { build: buildRelease }

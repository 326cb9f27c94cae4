import type { OnProgress, Progress } from '#nightly/build-options.ts'
import type { Input } from './command-line.ts'

/** How often a line is printed if stderr is not a terminal. It keeps the log of a build short. */
const plainEveryMs = 10_000
/** The time from which on a rate and the remaining time are shown. Before it, they jump. */
const settledMs = 1_000

const names: Record<Progress['step'], string> = {
  read: 'reading the source',
  index: 'indexing clips',
  list: 'listing clips by word',
  tables: 'building tables',
  sync: 'syncing to disk',
}

/** Shows the progress of a build: in the last line of a terminal, elsewhere in occasional lines. */
export function buildProgress({ say, progress, isTerminal }: Input, nowMs: () => number): OnProgress {
  let toldMs = nowMs()
  let step: Progress['step'] | null = null
  let stepMs = 0
  return (at) => {
    const now = nowMs()
    if (at.step !== step) stepMs = now
    step = at.step
    const line = describe(at, now - stepMs)
    progress(line)
    if (isTerminal || now - toldMs < plainEveryMs) return
    toldMs = now
    say(line)
  }
}

function describe(at: Progress, elapsedMs: number): string {
  const name = names[at.step]
  if (!('total' in at)) return `${name} …`
  const share = at.total === 0 ? 1 : at.done / at.total
  const line = `${name}  ${Math.floor(share * 100)}% of ${amount(at, at.total)}`
  if (elapsedMs < settledMs || at.done === 0) return line
  const aSecond = (at.done / elapsedMs) * 1000
  return `${line}, ${amount(at, aSecond)}/s, ${duration((at.total - at.done) / aSecond)} left`
}

function amount({ step }: Progress, count: number): string {
  if (step === 'read') return `${(count / 1e6).toFixed(1)} MB`
  return `${Math.round(count)} ${step === 'list' ? 'parts' : 'clips'}`
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}

import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '#kit/clock.ts'
import type { MeterStore } from '#metering/meter-store.ts'
import type { SimulatedProcess } from './simulation-mishaps.ts'
import type { Answer, Ask, Change, Model } from './simulation-model.ts'

/** A store object, which stands for a process. */
export interface Process {
  name: string
  store: MeterStore
  sqlite: SimulatedProcess
  clock: Clock
  /** Gives up where another holds the file. */
  isImpatient: boolean
}

/** What a call came to; `lost`: its process ended before it told. */
export type Outcome = Answer | 'lost'

/** What befell a process: it was killed, its disk was full, or it had been dead before. */
export type Hit = 'killed' | 'fault' | 'dead' | null

/** A call that takes effect, or does not. */
export interface Event {
  process: Process
  nowMs: number
  call: Ask | Change
  outcome: Outcome
  hit: Hit
}

/** Gives afterwards what befell a process in between. */
export function watchFor({ sqlite }: Process): () => Hit {
  const { isAlive, mishaps } = sqlite
  return () => {
    if (!isAlive) return 'dead'
    if (sqlite.mishaps === mishaps) return null
    return sqlite.isAlive ? 'fault' : 'killed'
  }
}

/**
 * How the model may stand after an event: with its effect, without it, or both are possible. None:
 * it would have been answered otherwise.
 */
function modelsAfter(model: Model, { nowMs, call, outcome, hit }: Event): Model[] {
  const unchanged = hit && outcome === (hit === 'fault' ? 'unavailable' : 'lost') ? [model.clone()] : []
  if (hit === 'fault' || hit === 'dead') return unchanged
  const expected = model.settle(call, nowMs)
  const isSo = (hit && outcome === 'lost') || isDeepStrictEqual(outcome, expected)
  return isSo ? [model, ...unchanged] : unchanged
}

/**
 * How the model may stand after events that happened in some order: every state that one leads to.
 * None: no order explains the answers.
 */
export function modelsAfterAll(models: readonly Model[], events: readonly Event[]): Model[] {
  let reached = models.map((model) => ({ model, left: events }))
  for (let step = 0; step < events.length; step++) {
    const next = new Map<string, { model: Model; left: readonly Event[] }>()
    for (const { model, left } of reached) {
      for (const event of left) {
        const others = left.filter((each) => each !== event)
        const place = others.map((each) => events.indexOf(each)).join()
        for (const after of modelsAfter(model.clone(), event))
          next.set(`${place} ${after.fingerprint()}`, { model: after, left: others })
      }
    }
    reached = [...next.values()]
  }
  return reached.map(({ model }) => model)
}

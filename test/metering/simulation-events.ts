import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '#kit/clock.ts'
import type { MeterStore } from '#metering/meter-store.ts'
import type { SimulatedProcess } from './simulation-mishaps.ts'
import type { Answer, Ask, Change, Model } from './simulation-model.ts'

/** A store object, which represents a process. */
export interface Process {
  name: string
  store: MeterStore
  sqlite: SimulatedProcess
  clock: Clock
  /** Whether it gives up if another process holds the file. */
  isImpatient: boolean
}

/** The outcome of a call; `lost` if its process ended before it answered. */
export type Outcome = Answer | 'lost'

/** The fate of a process: it was killed, its disk was full, or it was already dead. */
export type Hit = 'killed' | 'fault' | 'dead' | null

/** A call that takes effect, or does not. */
export interface Event {
  process: Process
  nowMs: number
  call: Ask | Change
  outcome: Outcome
  hit: Hit
}

/** Returns a function that tells what has happened to a process since. */
export function watchFor({ sqlite }: Process): () => Hit {
  const { isAlive, mishaps } = sqlite
  return () => {
    if (!isAlive) return 'dead'
    if (sqlite.mishaps === mishaps) return null
    return sqlite.isAlive ? 'fault' : 'killed'
  }
}

/**
 * Returns the possible models after an event: with its effect, without it, or both. If there is
 * none, the outcome was wrong.
 */
function modelsAfter(model: Model, { nowMs, call, outcome, hit }: Event): Model[] {
  const unchanged = hit && outcome === (hit === 'fault' ? 'unavailable' : 'lost') ? [model.clone()] : []
  if (hit === 'fault' || hit === 'dead') return unchanged
  const expected = model.settle(call, nowMs)
  const isSo = (hit && outcome === 'lost') || isDeepStrictEqual(outcome, expected)
  return isSo ? [model, ...unchanged] : unchanged
}

/**
 * Returns the models that are possible after events in any order. If there is none, no order
 * explains the outcomes.
 */
export function modelsAfterAll(models: readonly Model[], events: readonly Event[]): Model[] {
  let reached = models.map((model) => ({ model, left: events }))
  for (let step = 0; step < events.length; step++) {
    const next = new Map<string, { model: Model; left: readonly Event[] }>()
    for (const { model, left } of reached)
      for (const event of left) {
        const others = left.filter((each) => each !== event)
        const place = others.map((each) => events.indexOf(each)).join()
        for (const after of modelsAfter(model.clone(), event))
          next.set(`${place} ${after.fingerprint()}`, { model: after, left: others })
      }
    reached = [...next.values()]
  }
  return reached.map(({ model }) => model)
}

/**
 * Simulates the design of leases (site/content/docs/design/leases.md) with loss, delay, partition
 * and the loss of a region, and checks the table and the bounds of that page.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { seededRandom } from '#kit/seeded-random.ts'

interface Setting {
  seed: number
  regions: number
  /** The number of units in a lease. */
  batch: number
  /** The share of messages that are lost, and of the time in which a region is cut off. */
  loss: number
  partitioned: number
  /** Whether one region is lost permanently, with its store, half-way. */
  isRegionLost: boolean
}

const stepMs = 20
const latencyMs = 80
const retryMs = 400
const partitionMs = 5_000
const durationMs = 300_000
const quota = 10_000

/** A region's request for a lease, or to return units. It is repeated until it is answered. */
interface Ask {
  wants: boolean
  unspent: number
  /** The answer of the home region: a repeated request gets the same answer. */
  answer?: number
}

/** Simulates five minutes of an account, then repairs everything and returns all units. */
function simulate({ seed, regions: count, batch, loss, partitioned, isRegionLost }: Setting) {
  const random = seededRandom(seed)
  const regions = Array.from({ length: count }, () => ({
    left: 0,
    ask: null as Ask | null,
    askedAtMs: 0,
    isLost: false,
    cutUntilMs: 0,
  }))
  type Region = (typeof regions)[number]
  const outcome = { admitted: 0, refusedEarly: 0, above: 0, below: 0, stranded: 0 }
  /** The units that the home region has lent. */
  let charged = 0
  const wire: { atMs: number; deliver: () => void }[] = []

  const send = (nowMs: number, region: Region, deliver: () => void) => {
    if (nowMs < region.cutUntilMs || random() < loss) return
    wire.push({ atMs: nowMs + latencyMs * (0.5 + random()), deliver })
  }
  const answerAtHome = (ask: Ask) => {
    if (ask.answer !== undefined) return ask.answer
    ask.answer = ask.wants ? Math.min(batch, quota - charged) : 0
    charged += ask.answer - ask.unspent
    return ask.answer
  }
  const carry = (nowMs: number, region: Region) => {
    const asked = region.ask
    if (!asked || nowMs - region.askedAtMs < retryMs) return
    region.askedAtMs = nowMs
    send(nowMs, region, () => {
      const units = answerAtHome(asked)
      send(nowMs + latencyMs, region, () => {
        if (region.isLost || region.ask !== asked) return
        region.ask = null
        region.left += units
      })
    })
  }
  const ask = (nowMs: number, region: Region, wants: boolean) => {
    region.ask = { wants, unspent: wants ? 0 : region.left }
    if (!wants) region.left = 0
    region.askedAtMs = nowMs - retryMs
  }
  const request = (nowMs: number, region: Region) => {
    if (region.isLost) return
    if (!region.ask && region.left <= batch / 2) ask(nowMs, region, true)
    if (region.left > 0) {
      region.left--
      outcome.admitted++
    } else if (charged < quota) outcome.refusedEarly++
  }
  const step = (nowMs: number) => {
    for (let i = wire.length - 1; i >= 0; i--) if (wire[i]!.atMs <= nowMs) wire.splice(i, 1)[0]!.deliver()
    for (const region of regions) if (!region.isLost) carry(nowMs, region)
    outcome.above = Math.max(outcome.above, charged - outcome.admitted)
    outcome.below = Math.max(outcome.below, outcome.admitted - charged)
  }

  let nowMs = 0
  // Twice as many requests as the quota allows, half of them at the first region.
  const perStep = (2 * quota * stepMs) / durationMs
  for (; nowMs < durationMs; nowMs += stepMs) {
    for (const region of regions)
      if (nowMs >= region.cutUntilMs && random() < (partitioned * stepMs) / partitionMs)
        region.cutUntilMs = nowMs + partitionMs
    if (isRegionLost && nowMs === durationMs / 2) regions[1]!.isLost = true
    for (let wanted = perStep; wanted > random(); wanted--)
      request(nowMs, regions[random() < 0.5 ? 0 : Math.floor(random() * count)]!)
    step(nowMs)
  }
  for (const region of regions) region.cutUntilMs = 0
  for (const end = nowMs + 60_000; nowMs < end; nowMs += stepMs) {
    for (const region of regions)
      if (!region.isLost && !region.ask && region.left > 0) ask(nowMs, region, false)
    step(nowMs)
  }
  outcome.stranded = charged - outcome.admitted
  return outcome
}

const well = { loss: 0, partitioned: 0, isRegionLost: false }
const faults: Readonly<Record<string, typeof well>> = {
  None: well,
  '5% of messages lost': { ...well, loss: 0.05 },
  'Cut off 20% of the time': { ...well, loss: 0.05, partitioned: 0.2 },
  'A region is lost permanently': { loss: 0.05, partitioned: 0.2, isRegionLost: true },
}
const page = readFileSync(new URL('../../src/site/content/docs/design/leases.md', import.meta.url), 'utf8')
const rows = [...page.matchAll(/^\| (.+?) +\| (\d+) +\|(.*%) +\|$/gm)].map(([, fault, batch, rest]) => ({
  fault: fault!,
  batch: Number(batch),
  cells: rest!.split('|').map((cell) => cell.trim()),
}))

describe('a quota that regions borrow from', () => {
  test.each(rows)(
    '$fault, leases of $batch: the table has the worst of ten seeds',
    ({ fault, batch, cells }) => {
      const all = Array.from({ length: 10 }, (_, i) =>
        simulate({ seed: i + 1, regions: 3, batch, ...faults[fault]! }),
      )
      const worst = (of: (each: (typeof all)[number]) => number) => String(Math.max(0, ...all.map(of)))
      const early = all.reduce(
        (sum, each) => sum + each.refusedEarly / (each.refusedEarly + each.admitted),
        0,
      )
      expect(cells).toEqual([
        worst((each) => each.admitted - quota),
        worst((each) => each.below),
        worst((each) => each.above),
        worst((each) => each.stranded),
        `${(early * 10).toFixed(1)}%`,
      ])
    },
  )

  test.each(Object.entries(faults))(
    'is never exceeded, and is miscounted only within its bound: %s',
    (_, fault) => {
      expect(rows.some((row) => faults[row.fault] === fault)).toBe(true)
      for (const batch of [1, 10, 100])
        for (let seed = 11; seed <= 16; seed++) {
          const regions = 2 + (seed % 3)
          const { admitted, below, above, stranded } = simulate({ seed, regions, batch, ...fault })
          const lentToOne = batch + Math.floor(batch / 2)
          expect(admitted).toBeLessThanOrEqual(quota)
          expect(below).toBe(0)
          expect(above).toBeLessThanOrEqual(regions * lentToOne)
          expect(stranded).toBeLessThanOrEqual(fault.isRegionLost ? lentToOne : 0)
        }
    },
  )
})

/**
 * `node scripts/bench/leases.ts`: plays the design of leases (docs, design/leases) against loss,
 * delay and partition, and prints what each fault costs. Nothing of the service uses it.
 *
 * A region borrows units of an account from its home in leases. A unit is charged at home when it
 * is lent, and given back only by the region that has it, once. So the home may count too many
 * units for a while, and never too few.
 */
import { seededRandom } from '#kit/seeded-random.ts'

export interface Setting {
  seed: number
  quota: number
  regions: number
  /** Units of a lease. */
  batch: number
  /** The share of messages that are lost. */
  loss: number
  /** The share of the time in which a region cannot reach the home. */
  partitioned: number
  /** Whether one region is lost for good, with its store, half-way. */
  isRegionLost: boolean
}

export interface Outcome {
  admitted: number
  /** Units admitted over the quota. */
  over: number
  /** Requests refused by a region while the home had units to lend. */
  refusedEarly: number
  /** The most that the home counted above what was admitted, and below it. */
  countedAbove: number
  countedBelow: number
  /** Units that were still lent when all had healed: those of a region that was lost. */
  stranded: number
  messages: number
}

const stepMs = 20
const latencyMs = 80
const retryMs = 400
const partitionMs = 5_000
const durationMs = 300_000

/** A question of a region, which is repeated until it is answered: for a lease, or to give back. */
interface Ask {
  id: number
  wants: boolean
  unspent: number
}

/** What a region has: it survives a crash, because its own store keeps it. */
interface Region {
  /** Units of its leases: of one, and of the next, which it asks for when half of one is left. */
  left: number
  ask: Ask | null
  askedAtMs: number
  isLost: boolean
  cutUntilMs: number
}

/** Plays five minutes of an account, then lets all heal and gives everything back. */
export function simulate(setting: Setting): Outcome {
  const { seed, quota, batch, loss } = setting
  const random = seededRandom(seed)
  const regions = Array.from({ length: setting.regions }, (): Region => ({
    left: 0,
    ask: null,
    askedAtMs: 0,
    isLost: false,
    cutUntilMs: 0,
  }))
  const outcome: Outcome = {
    admitted: 0,
    over: 0,
    refusedEarly: 0,
    countedAbove: 0,
    countedBelow: 0,
    stranded: 0,
    messages: 0,
  }
  /** The home: units charged, and its answers, so that a repeated question gets the same one. */
  let charged = 0
  const answers = new Map<number, number>()
  let nextId = 0
  const wire: { atMs: number; deliver: () => void }[] = []

  const send = (nowMs: number, region: Region, deliver: () => void) => {
    outcome.messages++
    if (nowMs < region.cutUntilMs || random() < loss) return
    wire.push({ atMs: nowMs + latencyMs * (0.5 + random()), deliver })
  }
  const answerAtHome = ({ id, wants, unspent }: Ask) => {
    const known = answers.get(id)
    if (known !== undefined) return known
    const units = wants ? Math.min(batch, quota - charged) : 0
    charged += units - unspent
    answers.set(id, units)
    return units
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
    region.ask = { id: nextId++, wants, unspent: wants ? 0 : region.left }
    if (!wants) region.left = 0
    region.askedAtMs = nowMs - retryMs
  }
  const request = (nowMs: number, index: number) => {
    const region = regions[index]!
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
    outcome.countedAbove = Math.max(outcome.countedAbove, charged - outcome.admitted)
    outcome.countedBelow = Math.max(outcome.countedBelow, outcome.admitted - charged)
  }

  let nowMs = 0
  // Twice as many requests as the quota allows, mostly at the first region.
  const perStep = (2 * quota * stepMs) / durationMs
  for (; nowMs < durationMs; nowMs += stepMs) {
    for (const region of regions)
      if (nowMs >= region.cutUntilMs && random() < (setting.partitioned * stepMs) / partitionMs)
        region.cutUntilMs = nowMs + partitionMs
    if (setting.isRegionLost && nowMs === durationMs / 2) regions[1]!.isLost = true
    for (let wanted = perStep; wanted > random(); wanted--)
      request(nowMs, random() < 0.5 ? 0 : Math.floor(random() * regions.length))
    step(nowMs)
  }
  for (const region of regions) region.cutUntilMs = 0
  for (const end = nowMs + 60_000; nowMs < end; nowMs += stepMs) {
    for (const region of regions)
      if (!region.isLost && !region.ask && region.left > 0) ask(nowMs, region, false)
    step(nowMs)
  }
  outcome.over = Math.max(0, outcome.admitted - quota)
  outcome.stranded = charged - outcome.admitted
  return outcome
}

export const faults = [
  { fault: 'none', loss: 0, partitioned: 0, isRegionLost: false },
  { fault: '5 % of messages lost', loss: 0.05, partitioned: 0, isRegionLost: false },
  { fault: 'cut off 20 % of the time', loss: 0.05, partitioned: 0.2, isRegionLost: false },
  { fault: 'a region is lost for good', loss: 0.05, partitioned: 0.2, isRegionLost: true },
]

const seeds = Array.from({ length: 10 }, (_, i) => i + 1)

if (import.meta.main) {
  process.stdout.write(
    'fault, units of a lease, over, refused early, counted above, counted below, stranded, messages for 1000 units\n',
  )
  for (const { fault, ...rest } of faults)
    for (const batch of [1, 10, 100]) {
      const all = seeds.map((seed) => simulate({ seed, quota: 10_000, regions: 3, batch, ...rest }))
      const worst = (field: keyof Outcome) => all.reduce((most, each) => Math.max(most, each[field]), 0)
      const mean = (value: (each: Outcome) => number) =>
        all.reduce((sum, each) => sum + value(each), 0) / all.length
      const early = mean(({ refusedEarly, admitted }) => (100 * refusedEarly) / (refusedEarly + admitted))
      const messages = mean((each) => (1000 * each.messages) / each.admitted)
      process.stdout.write(
        `${fault}, ${batch}, ${worst('over')}, ${early.toFixed(1)} %, ${worst('countedAbove')}, ${worst('countedBelow')}, ${worst('stranded')}, ${messages.toFixed(0)}\n`,
      )
    }
}

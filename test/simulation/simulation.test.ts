import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultRounds, shareOf } from '../harness/fault-rounds.ts'
import { redisProgram } from '../harness/redis-server.ts'
import { interceptSqlite } from '../metering/simulation-mishaps.ts'
import { BrokenInvariant } from '../metering/simulation.ts'
import { plantedBugs, type Plant } from './planted-bugs.ts'
import { RedisPair } from './redis-pair.ts'
import { SimulatedDisk } from './simulated-disk.ts'
import { Simulation } from './simulation.ts'

/** To play others than usual: SIMULATION_SEEDS=1000 SIMULATION_SEED=1, which is the first. */
const seeds = Number(process.env.SIMULATION_SEEDS ?? faultRounds(60))
const firstSeed = Number(process.env.SIMULATION_SEED ?? 1)
const actionsPerSeed = 40

let disk: SimulatedDisk
let sqlite: Disposable
beforeAll(() => {
  disk = new SimulatedDisk()
  sqlite = interceptSqlite()
})
afterAll(() => {
  disk[Symbol.dispose]()
  sqlite[Symbol.dispose]()
})

async function play(seed: number, plant?: Plant, redis?: RedisPair): Promise<Simulation> {
  const folder = mkdtempSync(join(tmpdir(), 'clip-lookup-simulation-'))
  const simulation = new Simulation(folder, seed, disk, plant, redis)
  try {
    await simulation.run(actionsPerSeed)
    return simulation
  } catch (error) {
    throw error instanceof BrokenInvariant ? new BrokenInvariant(`seed ${seed}: ${error.message}`) : error
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('a seed replays the same history', async () => {
  expect((await play(firstSeed)).trace).toEqual((await play(firstSeed)).trace)
})

/** Plays this many histories, and returns what happened. */
async function playAll(histories: number, redis?: RedisPair): Promise<Set<string>> {
  const events = new Set<string>()
  for (let seed = firstSeed; seed < firstSeed + histories; seed++)
    for (const event of (await play(seed, {}, redis)).counts.keys()) events.add(event)
  return events
}

test(`in ${seeds} histories of the service, no fault breaks an invariant`, async () => {
  const events = await playAll(seeds)
  // The simulation is only worth what it covers.
  if (seeds >= 50) expect([...events]).toEqual(expect.arrayContaining([...everything, 'restore store']))
})

const redisSeeds = Math.ceil(seeds / 10)
test.skipIf(!redisProgram)(
  `in ${redisSeeds} histories with Redis, no fault breaks an invariant`,
  async () => {
    await using redis = await RedisPair.start()
    const events = await playAll(redisSeeds, redis)
    if (seeds >= 500) expect([...events]).toEqual(expect.arrayContaining([...everything, ...mishapsOfRedis]))
  },
)

const work = ['build', 'publish', 'rollback', 'resume', 'prune'].flatMap((name) => [name, `${name} refused`])
const faults = ['build killed', 'publish killed', 'build failed', 'kill proxy', 'power failure', '503']
const recoveries = ['restore', 'begin new tree']
const everything = [...work, ...faults, ...recoveries, 'clips', 'page', 'end of a walk', 'cut request']
const mishapsOfRedis = ['Redis fails over', 'cut connections to Redis']

test.each(shareOf(plantedBugs))('the simulation finds %s', async (_, seed, plant) => {
  // A change of the steps of a build moves a bug to another seed.
  const playSeveral = async () => {
    for (let next = seed; next < seed + 200; next++) await play(next, plant())
  }
  await expect(playSeveral()).rejects.toBeInstanceOf(BrokenInvariant)
})

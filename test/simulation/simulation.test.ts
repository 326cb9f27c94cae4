import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultRounds, shareOf } from '../harness/fault-rounds.ts'
import { interceptSqlite } from '../metering/simulation-mishaps.ts'
import { BrokenInvariant } from '../metering/simulation.ts'
import { plantedBugs, type Plant } from './planted-bugs.ts'
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

async function play(seed: number, plant?: Plant): Promise<Simulation> {
  const folder = mkdtempSync(join(tmpdir(), 'clip-lookup-simulation-'))
  const simulation = new Simulation(folder, seed, disk, plant)
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

test(`in ${seeds} histories of the service, no fault breaks an invariant`, async () => {
  const counts = new Map<string, number>()
  for (let seed = firstSeed; seed < firstSeed + seeds; seed++)
    for (const [event, count] of (await play(seed)).counts)
      counts.set(event, (counts.get(event) ?? 0) + count)
  // The simulation is only worth what it covers.
  if (seeds >= 50) expect([...counts.keys()]).toEqual(expect.arrayContaining(everything))
})

const work = ['build', 'publish', 'rollback', 'resume', 'prune'].flatMap((name) => [name, `${name} refused`])
const faults = ['build killed', 'publish killed', 'build failed', 'kill proxy', 'power failure', '503']
const recoveries = ['restore', 'restore store', 'begin new tree']
const everything = [...work, ...faults, ...recoveries, 'clips', 'page', 'end of a walk']

test.each(shareOf(plantedBugs))('the simulation finds %s', async (_, seed, plant) => {
  // A change of the steps of a build moves a bug to another seed.
  const playSeveral = async () => {
    for (let next = seed; next < seed + 200; next++) await play(next, plant())
  }
  await expect(playSeveral()).rejects.toBeInstanceOf(BrokenInvariant)
})

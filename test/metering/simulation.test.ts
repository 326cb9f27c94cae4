import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultRounds } from '../harness/fault-rounds.ts'
import { ownRedis, redisProgram } from '../harness/redis-server.ts'
import { sharedFolder } from '../harness/temp-folder.ts'
import { plantedMeters, roundabout } from './planted-meters.ts'
import { Chance } from '../harness/chance.ts'
import { interceptSqlite } from './simulation-mishaps.ts'
import { BrokenInvariant, playHistory, type History, type HistoryOptions } from './simulation.ts'

/** To run other histories than usual: SIMULATION_SEED=1234567 SIMULATION_HISTORIES=100000. */
const firstSeed = Number(process.env.SIMULATION_SEED ?? 1)
const histories = Number(process.env.SIMULATION_HISTORIES ?? faultRounds(1200))

const folder = sharedFolder()
let interception: Disposable
beforeAll(() => void (interception = interceptSqlite()))
afterAll(() => interception[Symbol.dispose]())

async function play(seed: number, options: Partial<HistoryOptions> = {}): Promise<History> {
  const file = join(folder, 'store.sqlite')
  for (const part of ['', '-wal', '-shm']) rmSync(file + part, { force: true })
  return await playHistory({ seed, url: `sqlite:${file}`, ...options })
}

/** Runs this many histories, and returns how often each thing happened. */
async function playAll(times: number, options: Partial<HistoryOptions> = {}): Promise<Map<string, number>> {
  const met = new Map<string, number>()
  for (let seed = firstSeed; seed < firstSeed + times; seed++)
    for (const [what, count] of (await play(seed, options)).met) met.set(what, (met.get(what) ?? 0) + count)
  return met
}

test('a seed gives the same sequence everywhere', () => {
  const chance = new Chance(1977)
  expect([chance.below(1000), chance.below(1000), chance.below(1000)]).toEqual([995, 691, 148])
})

test('a seed replays the same history', async () => {
  const written = async () => (await play(firstSeed + 6)).trace.map((step) => step())
  expect(await written()).toEqual(await written())
})

test(`in ${histories} histories of processes on one SQLite file, no answer, death or fault breaks an invariant`, async () => {
  const met = await playAll(histories)
  // The simulation is only worth what it covers.
  for (const what of everything) expect(met.get(what), what).toBeGreaterThan(histories / 20)
})

const told = ['admitted', 'rate_limited', 'quota_exceeded', 'unknown_key', 'unavailable', 'lost']
const calls = ['peek admitted', 'giveBack', 'setPlan', 'setEnabled', 'addKey', 'rotate']
const mishaps = [
  'killed, with effect',
  'killed, without effect',
  'fault',
  'mishap while opening',
  'file held',
]
const times = ['refused to open', 'clock behind', 'minute rolled over', 'period rolled over']
const everything = [...told.map((outcome) => `consume ${outcome}`), ...calls, ...mishaps, ...times]

test.each(plantedMeters)('the simulation catches a meter that $name', async ({ plant, tamper }) => {
  const options = { ...(plant && { plant }), ...(tamper && { tamper }) }
  await expect(playAll(histories, options)).rejects.toBeInstanceOf(BrokenInvariant)
})

test('the simulation accepts a meter that does the same in another way', async () => {
  await playAll(histories / 40, { plant: roundabout })
})

const serverHistories = Math.ceil(histories / 40)
test.skipIf(!redisProgram)(
  `in ${serverHistories} histories on one Redis, no answer breaks an invariant`,
  async () => {
    const { url } = await ownRedis()
    for (let i = 0; i < serverHistories; i++) await play(firstSeed + i, { url: `${url}/${i}` })
  },
)

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import { Chance } from '../harness/chance.ts'
import { Clients, type ClientsOptions } from '../harness/clients.ts'
import { faultRounds, longTest } from '../harness/fault-rounds.ts'
import { appendAlways, ownRedis, redisProgram } from '../harness/redis-server.ts'
import { sharedServedFolder, type ServeProcess } from '../harness/serve-process.ts'
import { amplePlan } from '../harness/service.ts'
import { newKey, unitsStored } from '../harness/store.ts'

const plans = [...defaultPlans, amplePlan]
/** The moment of each kill is counted in responses, so that it is the same on every machine. */
const chance = new Chance(1977)

const folder = sharedServedFolder(plans)

function expectIntegrity(file: string): void {
  const db = new DatabaseSync(file)
  expect(db.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  db.close()
}

/** Sends endless look-ups with one key. */
function flood(server: ServeProcess, key: string, options: Partial<ClientsOptions> = {}): Clients {
  const next = () => ({ path: '/v1/clips/cat-sitter', key })
  return new Clients({ origins: [server.origin], count: 32, pauseMs: 5, next, ...options })
}

function expectBetween(stored: number, answered: number, sent: number): void {
  expect(answered).toBeLessThanOrEqual(stored)
  expect(stored).toBeLessThanOrEqual(sent)
}

/** Starts, floods and kills a server this many times on one store. */
async function crashAgainAndAgain(url: string, times: number, check: () => void): Promise<void> {
  const key = await newKey(url, plans)
  let port = 0
  let before = 0
  for (let round = 0; round < times; round++) {
    const server = await folder.serve({ store: url, workers: round % 5 === 3 ? 2 : 1, port })
    port = server.port
    const load = flood(server, key)
    const enough = 1 + chance.below(400)
    await load.until(() => load.answered >= enough)
    await server.kill()
    await load.done
    expect(load.statuses).toEqual([200])
    check()
    const stored = await unitsStored(url, plans)
    expectBetween(stored - before, load.answered, load.sent)
    expect(load.answered).toBeGreaterThanOrEqual(enough)
    before = stored
  }
}

describe('on a SQLite store', () => {
  test('kill -9 of the server under load, again and again: answered ≤ stored ≤ sent, and the file is whole', async () => {
    const file = join(folder.path, 'crashed.sqlite')
    await crashAgainAndAgain(`sqlite:${file}`, faultRounds(12), () => expectIntegrity(file))
  })

  longTest('kill -9 of one of two workers, again and again: answered ≤ stored ≤ sent', async () => {
    const file = join(folder.path, 'workers.sqlite')
    const url = `sqlite:${file}`
    const server = await folder.serve({ store: url, workers: 2 })
    const load = flood(server, await newKey(url, plans), { count: 16, isStubborn: true })
    for (let round = 0; round < faultRounds(6); round++) {
      const enough = load.answered + 100 + chance.below(300)
      await load.until(() => load.answered >= enough)
      const pids = server.workerPids()
      process.kill(pids[0]!, 'SIGKILL')
      await server.newWorkers(pids, 1)
      const { answered } = load
      const stored = await unitsStored(url, plans)
      expectBetween(stored, answered, load.sent)
      expectIntegrity(file)
    }
    await load.stop()
    expectBetween(await unitsStored(url, plans), load.answered, load.sent)
    expect(load.statuses).toEqual([200])
    // Every client gets a response or a broken connection. None is left waiting.
    expect(load.count('ABORT_ERR')).toBe(0)
    expect(server.workerPids()).toHaveLength(2)
  })
})

describe.skipIf(!redisProgram)('on a Redis store', () => {
  longTest('kill -9 of the server under load, again and again: answered ≤ stored ≤ sent', async () => {
    await crashAgainAndAgain((await ownRedis(appendAlways)).url, faultRounds(4), () => {})
  })

  test('kill -9 of redis-server under load, again and again: answered ≤ stored ≤ sent, 503 meanwhile, and recovery', async () => {
    const store = await ownRedis(appendAlways)
    const server = await folder.serve({ store: store.url, workers: 2 })
    const load = flood(server, await newKey(store.url, plans), { count: 16, isStubborn: true })
    for (let round = 0; round < faultRounds(3); round++) {
      const { answered } = load
      await load.until(() => load.answered >= answered + 100 + chance.below(300))
      const refused = load.count(503)
      await store.kill()
      await load.until(() => load.count(503) > refused)
      await store.start()
    }
    const { answered } = load
    await load.until(() => load.answered > answered)
    await load.stop()
    expect(load.statuses).toEqual([200, 503])
    expectBetween(await unitsStored(store.url, plans), load.answered, load.sent)
  })
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { Receipt, Subject } from '#metering/store.ts'
import { testClock } from '../harness/clock.ts'
import { holdStore } from '../harness/hold-store.ts'
import { storeForTest } from '../harness/store.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { rawRequest, sendRaw } from '../proxy/http/raw-request.ts'
import { startSmallService } from '../proxy/small-service.ts'
import { addAccount, keyed } from './ann.ts'

const plans = [{ name: 'open', perPeriod: null, perMinute: 1_000_000 }]
const keys = ['a', 'b', 'c']

/** Opens a store with an account and three keys, and returns it with its file. */
async function openWithKeys() {
  const file = join(tempFolder(), 'store.sqlite')
  const store = await storeForTest(`sqlite:${file}`, { plans, clock: testClock() })
  await addAccount(store, 'ann', 'open', ...keys)
  return { store, file }
}

/**
 * Returns the number of transactions committed to the file: frames in its write-ahead log with the
 * size of the database and the salt of its header
 * (https://sqlite.org/fileformat2.html#the_write_ahead_log).
 */
function commits(file: string): number {
  const log = readFileSync(`${file}-wal`)
  const salt = log.subarray(16, 24)
  let count = 0
  for (let frame = 32; frame < log.length; frame += 24 + log.readUInt32BE(8))
    if (log.readUInt32BE(frame + 4) > 0 && log.subarray(frame + 8, frame + 16).equals(salt)) count++
  return count
}

test('requests of one turn, with any keys and addresses, share one commit', async () => {
  const { store, file } = await openWithKeys()
  const { receipt } = (await store.counters.consume(keyed('a'), 1)) as { receipt: Receipt }
  const before = commits(file)
  const asked = Array.from({ length: 300 }, (_, i) => store.counters.consume(keyed(keys[i % 3]!), 1))
  const address: Subject = { kind: 'address', address: '192.0.2.1', perMinute: 600 }
  await Promise.all([
    ...asked,
    store.counters.consume(address, 0),
    store.counters.peek(keyed('b')),
    store.counters.giveBack(receipt),
  ])
  expect(commits(file)).toBe(before + 1)
  expect(await store.directory.quota('ann')).toMatchObject({ requests: 300 })
})

test('requests of another turn are another commit, and a peek commits nothing', async () => {
  const { store, file } = await openWithKeys()
  const before = commits(file)
  await store.counters.consume(keyed('a'), 1)
  await store.counters.consume(keyed('a'), 1)
  expect(commits(file)).toBe(before + 2)
  await store.counters.peek(keyed('a'))
  expect(commits(file)).toBe(before + 2)
})

test('requests that arrive while another process holds the file share one commit', async () => {
  const { store, file } = await openWithKeys()
  const before = commits(file)
  const letGo = holdStore(file)
  const answers = []
  for (let i = 0; i < 10; i++) {
    answers.push(store.counters.consume(keyed('a'), 1))
    await turn()
  }
  letGo()
  await Promise.all(answers)
  // The first one is tried alone, before the others arrive.
  expect(commits(file)).toBe(before + 2)
})

test('answers a request once others can see its count', async () => {
  const { store, file } = await openWithKeys()
  const other = new DatabaseSync(file, { readOnly: true })
  onTestFinished(() => other.close())
  const seen = () =>
    Number(other.prepare('SELECT coalesce(sum(requests), 0) AS units FROM periods').get()!.units)
  const asked = Array.from({ length: 20 }, () => store.counters.consume(keyed('a'), 1).then(seen))
  expect(seen()).toBe(0)
  expect(await Promise.all(asked)).toEqual(Array(20).fill(20))
})

test('answers pipelined requests one at a time, each with its own commit', async () => {
  await using service = await startSmallService({})
  const key = await service.newKey()
  const file = join(service.folder, 'store.sqlite')
  const before = commits(file)
  const lookUp = `GET /v1/clips/cat-sitter HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${key}\r\n`
  const last = rawRequest('GET /v1/words HTTP/1.1', 'Host: test', `Authorization: Bearer ${key}`)
  const answers = await sendRaw(service.origin, `${lookUp}\r\n`.repeat(9) + last)
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
  expect(commits(file)).toBe(before + 10)
})

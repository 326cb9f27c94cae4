import { randomBytes } from 'node:crypto'
import { Agent } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { mintKey } from '#metering/key.ts'
import { send, type RequestOptions } from '../../harness/http-client.ts'
import { startSmallService } from '../small-service.ts'
import { rawRequest, sendRaw } from './raw-request.ts'
import { collectGarbage } from '../../harness/collect-garbage.ts'

const requests = 40
const rounds = 5
/**
 * The largest cost of a request, as a multiple of a plain one. Reading so many bytes has a cost,
 * but processing them took 20 to 70 times as long as a plain request.
 */
const mostTimes = 6

/** Repeats a request several times in each round, and returns the CPU time of the fastest round. */
async function leastCpuUs(times: number, request: () => Promise<void>): Promise<number> {
  let least = Infinity
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage()
    for (let i = 0; i < times; i++) await request()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, user + system)
  }
  return least
}

const marks = `/v1/words?q=${encodeURIComponent('\u0315\u0300\u0327'.repeat(440))}`
/** A key of the right form that belongs to nobody. */
const key = mintKey(randomBytes)

const headers = { 'x-forwarded-for': '::,'.repeat(5_000) }

test.each<[what: string, target: string, options: RequestOptions]>([
  ['16 KB of X-Forwarded-For from a client that is no proxy', '/v1/x', { headers }],
  ['8 KB of combining marks without a key', marks, {}],
  ['8 KB of combining marks with a key that nobody has', marks, { key }],
])('%s cost about as much as a plain request', async (_, target, options) => {
  await using service = await startSmallService()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const cpuUs = (path: string, more: RequestOptions) =>
    leastCpuUs(requests, async () => {
      const { status } = await send(service.origin, path, { ...more, agent })
      expect(status).toBeGreaterThanOrEqual(401)
    })
  const plain = () => cpuUs('/v1/y', {})
  await plain()
  const [base, costly] = [await plain(), await cpuUs(target, options)]
  expect(costly / base).toBeLessThan(mostTimes)
  agent.destroy()
})

test('a method that nobody knows costs as much with 30 KB of blanks in a header as with letters', async () => {
  await using service = await startSmallService()
  const cpuUs = (filler: string) =>
    leastCpuUs(3, async () => {
      const header = `X: a${filler.repeat(30_000)}b`
      const answers = await sendRaw(service.origin, rawRequest('FOO / HTTP/1.1', 'Host: h', header))
      expect(answers).toMatchObject([{ status: 431 }])
    })
  await cpuUs('c')
  const [base, costly] = [await cpuUs('c'), await cpuUs(' ')]
  expect(costly / base).toBeLessThan(mostTimes)
})

test('does not store credentials, whether valid or not', async () => {
  await using service = await startSmallService()
  const valid = await service.newKey()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = async (i: number) => {
    const blanks = ' '.repeat(15_000 - i)
    await service.get('/usage', { agent, headers: { authorization: `Bearer ${blanks}${valid}` } })
  }
  const heapBytes = async () => {
    for (let i = 0; i < 3; i++) {
      collectGarbage()
      await setImmediate()
    }
    return process.memoryUsage().heapUsed
  }
  for (let i = 0; i < 100; i++) await ask(i)
  const before = await heapBytes()
  for (let i = 100; i < 800; i++) await ask(i)
  // All of them would take 10 MB.
  expect((await heapBytes()) - before).toBeLessThan(5_000_000)
  agent.destroy()
})

/**
 * `npm run bench:shared-counters`: how several processes should share the counters of one machine. Each of N processes keeps 32 requests in flight on
 * its own key of one account, either on the SQLite file itself, in short transactions, or by messages to one process that alone writes.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plan } from '#contract/plans.ts'
import { systemClock } from '#kit/clock.ts'
import { createKey } from '#metering/administer.ts'
import { keyDigest } from '#metering/key.ts'
import { openStore } from '#metering/open-store.ts'
import type { MeterStore } from '#metering/store.ts'
import { TurnQueue } from '#metering/turn-queue.ts'
import { percentile } from './load.ts'

const plans: Plan[] = [{ name: 'ample', perPeriod: null, perMinute: 1_000_000_000 }]
const inFlight = 32
const seconds = 3

type Way = 'each on the file' | 'one writer'
interface Order {
  way: Way
  url: string
  key: string
}
interface Outcome {
  count: number
  cpuUs: number
  latenciesUs: number[]
}

if (process.send) await beWorker()
else await main()

async function main(): Promise<void> {
  process.stdout.write(
    `${inFlight} requests in flight a process; CPU µs a request over all processes; wait in µs\n`,
  )
  for (const processes of [1, 2, 4]) {
    for (const way of ['each on the file', 'one writer'] as const) await measure(way, processes)
  }
}

async function measure(way: Way, processes: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-shared-'))
  const url = `sqlite:${join(folder, 'store.sqlite')}`
  const store = await openStore(url, { plans, clock: systemClock })
  const children = await Promise.all(
    Array.from({ length: processes }, async () => {
      const { key } = await createKey(
        { store, plans, clock: systemClock, random: randomBytes },
        { account: 'a', plan: 'ample' },
      )
      const child = fork(fileURLToPath(import.meta.url), { serialization: 'advanced' })
      if (way === 'one writer') writeFor(child, store)
      child.send({ way, url, key } satisfies Order)
      return child
    }),
  )
  const before = process.cpuUsage()
  const outcomes = await Promise.all(children.map(outcomeOf))
  const own = process.cpuUsage(before)
  await store.close()
  rmSync(folder, { recursive: true })
  const count = outcomes.reduce((sum, outcome) => sum + outcome.count, 0)
  const cpuUs = outcomes.reduce((sum, outcome) => sum + outcome.cpuUs, own.user + own.system)
  const waits = outcomes.flatMap((outcome) => outcome.latenciesUs).sort((a, b) => a - b)
  const row = [
    `${processes} × ${way}`.padEnd(24),
    `${(count / seconds / 1000).toFixed(0)}k/s`.padStart(7),
    `cpu ${(cpuUs / count).toFixed(2)}`,
  ]
  process.stdout.write(
    `${row.join('  ')}  p50 ${percentile(waits, 0.5).toFixed(0)}  p99 ${percentile(waits, 0.99).toFixed(0)}\n`,
  )
}

/** The one writer: a message holds what its sender asked in one turn. */
function writeFor(child: ChildProcess, store: MeterStore): void {
  child.on('message', (message: { digests?: Uint8Array[] }) => {
    if (!message.digests) return
    const answers = message.digests.map((digest) =>
      store.consume({ kind: 'key', digest: Buffer.from(digest) }, 1),
    )
    void Promise.all(answers).then((decisions) => child.send({ decisions }))
  })
}

async function outcomeOf(child: ChildProcess): Promise<Outcome> {
  return await new Promise((resolve) => {
    child.on('message', (message: { outcome?: Outcome }) => {
      if (!message.outcome) return
      resolve(message.outcome)
      child.disconnect()
    })
  })
}

async function beWorker(): Promise<void> {
  const [{ way, url, key }] = (await once(process, 'message')) as [Order]
  const digest = keyDigest(key)
  const store = way === 'one writer' ? null : await openStore(url, { plans, clock: systemClock })
  const consume = store ? () => store.consume({ kind: 'key', digest }, 1) : byMessage(digest)
  const outcome: Outcome = { count: 0, cpuUs: 0, latenciesUs: [] }
  const before = process.cpuUsage()
  const endMs = performance.now() + seconds * 1000
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (performance.now() < endMs) {
        const startMs = performance.now()
        await consume()
        if (outcome.count++ % 16 === 0) outcome.latenciesUs.push((performance.now() - startMs) * 1000)
      }
    }),
  )
  const used = process.cpuUsage(before)
  outcome.cpuUs = used.user + used.system
  await store?.close()
  process.send!({ outcome })
}

function byMessage(digest: Buffer): () => Promise<unknown> {
  const waiting: ((decision: unknown) => void)[][] = []
  process.on('message', ({ decisions }: { decisions?: unknown[] }) => {
    if (decisions) for (const [i, resolve] of waiting.shift()!.entries()) resolve(decisions[i])
  })
  const queue = new TurnQueue<(decision: unknown) => void>((resolvers) => {
    waiting.push(resolvers)
    process.send!({ digests: resolvers.map(() => digest) })
  })
  return () => new Promise((resolve) => queue.add(resolve))
}

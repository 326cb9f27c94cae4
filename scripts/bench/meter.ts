/**
 * `npm run bench:meter`: what authenticating and metering cost. CPU time a request of the proxy
 * beside a bare `node:http` server that sends the same bytes and headers, in one run, rounds taken
 * in turn; and of what others build the same from: Fastify and express with their plugins for keys,
 * rate limits and static files. These count in memory, for one process, and have no quota.
 * Arguments go to `serve`; BENCH_REQUESTS and BENCH_ROUNDS set the length.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defaultPlans, type Plan } from '#contract/plans.ts'
import { systemClock } from '#kit/clock.ts'
import { createKey } from '#metering/administer.ts'
import { openStore } from '#metering/open-store.ts'
import { build } from '#build/build.ts'
import { youtubeUrls } from '#rendering/clip.ts'
import { captureAnswer } from './capture-answer.ts'
import { cpuTimeMs } from './cpu-time.ts'
import { rawGet, runLoad } from './load.ts'
import { startServer, stopServers, type ServerProcess } from './server-process.ts'
import { median, percentile, spread } from './statistics.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const connections = 32
const perRound = Number(process.env.BENCH_REQUESTS ?? 20_000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const plans: Plan[] = [
  ...defaultPlans,
  { name: 'ample', perPeriod: null, perMinute: 1_000_000_000 },
  { name: 'spent', perPeriod: null, perMinute: 1 },
]

interface Row {
  name: string
  server: ServerProcess
  requestAt: (i: number) => Buffer
  cpuUs: number[]
}

const folder = mkdtempSync(join(tmpdir(), 'bench-meter-'))
try {
  await main()
} finally {
  await stopServers()
  rmSync(folder, { recursive: true, force: true })
}

async function main(): Promise<void> {
  const dist = join(folder, 'dist')
  const url = `sqlite:${join(folder, 'store.sqlite')}`
  await build({
    corpusFolder: here('../../src/sample-corpus'),
    outFolder: dist,
    strict: true,
    replace: new Set(),
    maxShrink: 0.2,
    urls: youtubeUrls,
    clock: systemClock,
  })
  writeFileSync(join(folder, 'plans.json'), JSON.stringify(plans))
  const store = await openStore(url, { plans, clock: systemClock })
  const desk = { store, plans, clock: systemClock, random: randomBytes }
  const newKey = async (account: string, plan: string) => (await createKey(desk, { account, plan })).key
  const hot = await newKey('hot', 'ample')
  const spent = await newKey('spent', 'spent')
  const many: string[] = []
  for (let i = 0; i < 1000; i++) many.push(await newKey(`account-${i % 250}`, 'ample'))
  await store.close()

  const ours = await startServer(here('../clip-lookup.ts'), [
    'serve',
    '--data',
    dist,
    '--store',
    url,
    '--plans',
    join(folder, 'plans.json'),
    '--port',
    '0',
    '--log-level',
    'error',
    '--workers',
    '1',
    ...process.argv.slice(2),
  ])
  const path = '/v1/clips/en-our-street'
  const request = (key: string) => rawGet(path, { Authorization: `Bearer ${key}` })
  const requests = {
    hot: request(hot),
    spent: request(spent),
    unknown: request(`clk_${'0'.repeat(38)}`),
    many: many.map(request),
  }
  const bare = await startServer(here('servers/bare.ts'), [], {
    BARE_ANSWER: await captureAnswer(ours.port, path, hot),
  })

  const peers = { TREE: dist, KEYS: hot }
  const fastify = await startServer(here('servers/fastify.ts'), [], peers)
  const express = await startServer(here('servers/express.ts'), [], peers)
  const file = rawGet(`/v1/clips/${await clipIdOf(ours.port, path, hot)}.json`, {
    Authorization: `Bearer ${hot}`,
  })

  const rows: Row[] = [
    { name: 'bare node:http', server: bare, requestAt: () => requests.hot, cpuUs: [] },
    { name: 'clip, one hot key', server: ours, requestAt: () => requests.hot, cpuUs: [] },
    { name: 'clip, 1,000 keys in turn', server: ours, requestAt: (i) => requests.many[i % 1000]!, cpuUs: [] },
    { name: 'refused, 429', server: ours, requestAt: () => requests.spent, cpuUs: [] },
    { name: 'refused, 401', server: ours, requestAt: () => requests.unknown, cpuUs: [] },
    { name: 'Fastify with plugins', server: fastify, requestAt: () => file, cpuUs: [] },
    { name: 'express with express-rate-limit', server: express, requestAt: () => file, cpuUs: [] },
  ]
  for (const row of rows) await runLoad(row.server.port, connections, 5_000, row.requestAt)
  for (let round = 0; round < rounds; round++) {
    for (const row of rows) {
      const before = cpuTimeMs(row.server.pid)
      await runLoad(row.server.port, connections, perRound, row.requestAt)
      row.cpuUs.push(((cpuTimeMs(row.server.pid) - before) * 1000) / perRound)
    }
  }
  print(rows)
  await printLatency('bare node:http', bare, requests.hot)
  await printLatency('clip, one hot key', ours, requests.hot)
  await printLatency('Fastify with plugins', fastify, file)
}

async function clipIdOf(port: number, path: string, key: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { authorization: `Bearer ${key}` },
  })
  return ((await answer.json()) as { clipId: string }).clipId
}

function print(rows: readonly Row[]): void {
  const base = median(rows[0]!.cpuUs)
  process.stdout.write(
    `CPU µs a request, ${connections} connections, median of ${rounds} rounds of ${perRound} (min–max), × bare\n`,
  )
  for (const { name, cpuUs } of rows) {
    process.stdout.write(
      `  ${name.padEnd(32)} ${median(cpuUs).toFixed(1).padStart(7)}  (${spread(cpuUs, 1)})  ${(median(cpuUs) / base).toFixed(2)}\n`,
    )
  }
}

async function printLatency(name: string, server: ServerProcess, request: Buffer): Promise<void> {
  const { latenciesMs } = await runLoad(server.port, 1, 5_000, () => request)
  const us = (share: number) => (percentile(latenciesMs, share) * 1000).toFixed(0)
  process.stdout.write(`one connection, ${name}: p50 ${us(0.5)} µs, p99 ${us(0.99)} µs\n`)
}

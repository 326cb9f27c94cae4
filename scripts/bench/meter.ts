/**
 * `npm run bench:meter`: what authenticating and metering cost. CPU time a request of the proxy
 * beside a bare `node:http` server that sends the same bytes and headers, in one run, rounds taken
 * in turn; and of what others build the same from: Fastify and express with their plugins for keys,
 * rate limits and static files. These count in memory, for one process, and have no quota.
 * Arguments go to `serve`; BENCH_REQUESTS and BENCH_ROUNDS set the length.
 */
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { captureAnswer } from './capture-answer.ts'
import { connections, cpuUsPerRequest, keyedGet, requestsPerRound, roundCount, runLoad } from './load.ts'
import { startServer, stopServers, type ServerProcess } from './server-process.ts'
import { buildTree, pathOf, startService, type BenchAccount } from './service.ts'
import { median, percentile, spread } from './statistics.ts'

const rounds = roundCount(5)
const perRound = requestsPerRound(20_000)
const manyKeys = 1_000

interface Row {
  name: string
  server: ServerProcess
  requestAt: (i: number) => Buffer
  cpuUs: number[]
}

using temporary = mkdtempDisposableSync(join(tmpdir(), 'bench-meter-'))
try {
  await main(temporary.path)
} finally {
  await stopServers()
}

async function main(folder: string): Promise<void> {
  const tree = buildTree(pathOf('../../src/sample-corpus'), join(folder, 'tree'))
  const accounts: BenchAccount[] = [
    { account: 'hot', plan: 'ample' },
    { account: 'spent', plan: 'spent' },
    ...Array.from({ length: manyKeys }, (_, i) => ({
      account: `account-${i % 250}`,
      plan: 'ample' as const,
    })),
  ]
  const ours = await startService(folder, tree, process.argv.slice(2), accounts)
  const [hot, spent, ...many] = ours.keys as [string, string, ...string[]]
  const path = '/v1/clips/en-our-street'
  const clip = keyedGet(path, hot)
  const clips = many.map((key) => keyedGet(path, key))
  const spentClip = keyedGet(path, spent)
  const unknownKey = keyedGet(path, `clk_${'0'.repeat(38)}`)
  const bare = await startServer(pathOf('servers/bare.ts'), [], {
    BARE_ANSWER: await captureAnswer(ours.port, path, hot),
  })
  const peers = { TREE: tree, KEYS: hot }
  const fastify = await startServer(pathOf('servers/fastify.ts'), [], peers)
  const express = await startServer(pathOf('servers/express.ts'), [], peers)
  const file = keyedGet(`/v1/clips/${await clipIdOf(ours.port, path, hot)}.json`, hot)

  const rows: Row[] = [
    { name: 'bare node:http', server: bare, requestAt: () => clip, cpuUs: [] },
    { name: 'clip, one hot key', server: ours, requestAt: () => clip, cpuUs: [] },
    { name: 'clip, 1,000 keys in turn', server: ours, requestAt: (i) => clips[i % manyKeys]!, cpuUs: [] },
    { name: 'refused, 429', server: ours, requestAt: () => spentClip, cpuUs: [] },
    { name: 'refused, 401', server: ours, requestAt: () => unknownKey, cpuUs: [] },
    { name: 'Fastify with plugins', server: fastify, requestAt: () => file, cpuUs: [] },
    { name: 'express with express-rate-limit', server: express, requestAt: () => file, cpuUs: [] },
  ]
  for (const row of rows) await runLoad(row.server.port, connections, 5_000, row.requestAt)
  for (let round = 0; round < rounds; round++)
    for (const { server, requestAt, cpuUs } of rows)
      cpuUs.push(await cpuUsPerRequest(server, perRound, requestAt))
  print(rows)
  await printLatency('bare node:http', bare, clip)
  await printLatency('clip, one hot key', ours, clip)
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

/**
 * `npm run bench:observed`: what metrics and the access log add to a request: CPU time of `serve`
 * with them beside `serve` without, in one run, rounds taken in turn; the least of them, for
 * whatever else runs on the machine only adds. BENCH_REQUESTS and BENCH_ROUNDS set the length.
 */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plan } from '#contract/plans.ts'
import { systemClock } from '#kit/clock.ts'
import { createKey } from '#metering/administer.ts'
import { openStore } from '#metering/open-store.ts'
import { cpuTimeMs } from './cpu-time.ts'
import { rawGet, runLoad } from './load.ts'
import { makeCorpus } from './make-corpus.ts'
import { startServer, stopServers, type ServerProcess } from './server-process.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const connections = 32
const perRound = Number(process.env.BENCH_REQUESTS ?? 10_000)
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const madeClips = 2_000
const paths = {
  'feed of 20, kept': '/v1/feed?seed=2026-11-20',
  clip: '/v1/clips/v0000000000',
  'search, hot': '/v1/words?q=st',
}

const folder = mkdtempSync(join(tmpdir(), 'bench-observed-'))
try {
  await main()
} finally {
  await stopServers()
  rmSync(folder, { recursive: true, force: true })
}

async function main(): Promise<void> {
  makeCorpus(join(folder, 'corpus'), madeClips)
  execFileSync(process.execPath, [here('build-tree.ts'), join(folder, 'corpus'), join(folder, 'tree')])
  const log = ['--access-log', join(folder, 'access.log')]
  const sides = {
    neither: await serve('neither', []),
    metrics: await serve('metrics', ['--admin-port', '0']),
    'access log': await serve('log', log),
    both: await serve('both', ['--admin-port', '0', ...log]),
  }
  process.stdout.write(
    `CPU µs a request, ${connections} connections, least of ${rounds} rounds of ${perRound}\n`,
  )
  for (const [name, path] of Object.entries(paths)) {
    const spent = new Map(Object.keys(sides).map((side) => [side, Infinity]))
    for (let round = -1; round < rounds; round++) {
      for (const [side, server] of Object.entries(sides)) {
        const cpuUs = await measure(server, path)
        if (round >= 0) spent.set(side, Math.min(spent.get(side)!, cpuUs))
      }
    }
    const neither = spent.get('neither')!
    const shown = [...spent].map(([side, us]) => `${side} ${us.toFixed(1)} × ${(us / neither).toFixed(2)}`)
    process.stdout.write(`  ${name.padEnd(20)} ${shown.join('   ')}\n`)
  }
}

interface Keyed extends ServerProcess {
  key: string
}

async function serve(name: string, more: string[]): Promise<Keyed> {
  const plans: Plan[] = [
    { name: 'trial', perPeriod: 20, perMinute: 60 },
    { name: 'ample', perPeriod: null, perMinute: 1_000_000_000 },
  ]
  const plansFile = join(folder, 'plans.json')
  writeFileSync(plansFile, JSON.stringify(plans))
  const url = `sqlite:${join(folder, name)}.sqlite`
  const store = await openStore(url, { plans, clock: systemClock })
  const desk = { store, plans, clock: systemClock, random: randomBytes }
  const { key } = await createKey(desk, { account: 'bench', plan: 'ample' })
  await store.close()
  const place = ['--data', join(folder, 'tree'), '--store', url, '--plans', plansFile, '--port', '0']
  const quiet = ['--log-level', 'error', '--workers', '1']
  const server = await startServer(here('../clip-lookup.ts'), ['serve', ...place, ...quiet, ...more])
  return { ...server, key }
}

/** CPU time of one request, in microseconds. */
async function measure({ pid, port, key }: Keyed, path: string): Promise<number> {
  const before = cpuTimeMs(pid)
  const request = rawGet(path, { Authorization: `Bearer ${key}` })
  const { statuses } = await runLoad(port, connections, perRound, () => request)
  if (statuses[200] !== perRound) throw new Error(`${path}: wanted 200, got ${JSON.stringify(statuses)}`)
  return ((cpuTimeMs(pid) - before) * 1000) / perRound
}

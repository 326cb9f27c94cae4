import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultPlans, type Plan } from '#contract/plans.ts'
import { systemClock } from '#kit/clock.ts'
import { createKey } from '#metering/administer.ts'
import { openStore } from '#metering/open-store.ts'
import { shortClips, writeCorpus } from './corpus.ts'
import { probe, startServer, type ServerProcess } from './processes.ts'

/** A plan whose limits no benchmark reaches. */
const plans: Plan[] = [...defaultPlans, { name: 'ample', perPeriod: null, perMinute: 1_000_000_000 }]

/** The service in a process of its own, with a key for each account. */
type BenchService = ServerProcess & { keys: string[] }

/**
 * Starts `serve` with one worker on a tree. Without `storeUrl`, it gets a new store in `folder`.
 *
 * @param args more arguments for `serve`
 */
export async function startService(
  folder: string,
  tree: string,
  args: readonly string[] = [],
  accounts: readonly string[] = ['bench'],
  storeUrl = `sqlite:${join(folder, `store-${randomBytes(4).toString('hex')}.sqlite`)}`,
): Promise<BenchService> {
  const plansFile = join(folder, 'plans.json')
  writeFileSync(plansFile, JSON.stringify(plans))
  const store = await openStore(storeUrl, { plans, clock: systemClock, mayCreate: true })
  const keys = await Array.fromAsync(accounts, async (account) => {
    return (await createKey({ store, plans }, { account, plan: 'ample' })).key
  })
  await store.close()
  const options = { data: tree, store: storeUrl, plans: plansFile, port: 0, 'log-level': 'error', workers: 1 }
  const optionArgs = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
  return { ...(await startServer('../clip-lookup.mjs', ['serve', ...optionArgs, ...args])), keys }
}

/** Builds a tree of short clips in `folder`, unless it exists. Returns its path and the cost. */
export function makeTree(folder: string, clips: number) {
  const path = join(folder, `tree-${clips}`)
  if (existsSync(join(path, 'current.json'))) return { path, cost: null }
  const corpus = shortClips(join(folder, `corpus-${clips}`), clips)
  writeCorpus(corpus, 0, clips)
  return { path, cost: probe('build', corpus.folder, path) }
}

/** Starts a bare `node:http` server that sends what the service sends for a path. */
export async function startBare(service: BenchService, path: string): Promise<ServerProcess> {
  const response = await fetch(`http://127.0.0.1:${service.port}${path}`, {
    headers: { authorization: `Bearer ${service.keys[0]!}`, 'accept-encoding': 'identity' },
  })
  const headers = [...response.headers].filter(([name]) => !/^(date|connection|keep-alive)$/.test(name))
  const body = Buffer.from(await response.arrayBuffer()).toString('base64')
  const recording = { status: response.status, headers: Object.fromEntries(headers), body }
  return await startServer('bare.ts', [], { BARE_ANSWER: JSON.stringify(recording) })
}

import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultPlans, type Plan } from '#contract/plans.ts'
import { systemClock } from '#kit/clock.ts'
import { createKey } from '#metering/administer.ts'
import { openStore } from '#metering/open-store.ts'
import { shortClips, writeCorpus } from './corpus.ts'
import { probe, startServer, type ServerProcess } from './processes.ts'

/** Plans whose limits no benchmark reaches, or whose limits every benchmark exceeds. */
const plans: Plan[] = [
  ...defaultPlans,
  { name: 'ample', perPeriod: null, perMinute: 1_000_000_000 },
  { name: 'slow', perPeriod: null, perMinute: 1 },
  { name: 'empty', perPeriod: 0, perMinute: 1_000_000_000 },
]

/** The service in a process of its own, with keys. */
interface BenchService extends ServerProcess {
  key: string
  /** A key whose rate limit is one request a minute. */
  slowKey: string
  /** A key without look-ups. */
  emptyKey: string
}

/**
 * Starts `serve` with one worker on a tree. Without `storeUrl`, it gets a new store in `folder`.
 *
 * @param settings more settings of `serve`
 */
export async function startService(
  folder: string,
  tree: string,
  settings: Readonly<Record<string, string | number>> = {},
  storeUrl = `sqlite:${join(folder, `store-${randomBytes(4).toString('hex')}.sqlite`)}`,
): Promise<BenchService> {
  const plansFile = join(folder, 'plans.json')
  writeFileSync(plansFile, JSON.stringify(plans))
  const store = await openStore(storeUrl, { plans, clock: systemClock, mayCreate: true })
  const newKey = async (plan: string) => (await createKey({ store, plans }, { account: plan, plan })).key
  const keys = { key: await newKey('ample'), slowKey: await newKey('slow'), emptyKey: await newKey('empty') }
  await store.close()
  const options = { data: tree, store: storeUrl, plans: plansFile, port: 0, 'log-level': 'error', workers: 1 }
  const args = Object.entries({ ...options, ...settings }).map(([name, value]) => `--${name}=${value}`)
  return { ...(await startServer('../clip-lookup.mjs', ['serve', ...args])), ...keys }
}

/** Builds a tree of short clips in `folder`, unless it exists. Returns its path and the cost. */
export function makeTree(folder: string, clips: number) {
  const path = join(folder, `tree-${clips}`)
  if (existsSync(join(path, 'current.json'))) return { path, cost: null }
  const corpus = shortClips(join(folder, `corpus-${clips}`), clips)
  writeCorpus(corpus, 0, clips)
  return { path, cost: probe('build', corpus.folder, path) }
}

/** A response of the service, as other servers send it. */
export interface Recording {
  status: number
  headers: Record<string, string>
  /** The bytes in base64. */
  body: string
}

/** Records the response of the service to a request, without a key if that is null. */
export async function record({ port }: ServerProcess, path: string, key: string | null): Promise<Recording> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { ...(key !== null && { authorization: `Bearer ${key}` }), 'accept-encoding': 'identity' },
  })
  const headers = [...response.headers].filter(([name]) => !/^(date|connection|keep-alive)$/.test(name))
  const body = Buffer.from(await response.arrayBuffer()).toString('base64')
  return { status: response.status, headers: Object.fromEntries(headers), body }
}

/** Starts a server that sends a recorded response: a bare one, or Fastify with a rate limit. */
export async function startRecorded(
  script: 'bare.ts' | 'fastify.ts',
  recording: Recording,
): Promise<ServerProcess> {
  return await startServer(script, [], { BENCH_RESPONSE: JSON.stringify(recording) })
}

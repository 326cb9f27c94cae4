import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultPlans, type Plan } from '#contract/plans.ts'
import { systemClock } from '#kit/clock.ts'
import { createKey } from '#metering/administer.ts'
import { openStore } from '#metering/open-store.ts'
import { makeCorpus } from './make-corpus.ts'
import { runScript, startServer, type ServerProcess, type Took } from './run.ts'

/** No limit that a bench could meet, and a limit that it meets at once. */
const plans: Plan[] = [
  ...defaultPlans,
  { name: 'ample', perPeriod: null, perMinute: 1_000_000_000 },
  { name: 'spent', perPeriod: null, perMinute: 1 },
]

/** An account that a bench wants a key for. */
export interface BenchAccount {
  account: string
  plan: 'ample' | 'spent'
}

/** The service in a process of its own, with keys. */
export interface BenchService extends ServerProcess {
  /** In the order of the accounts. */
  keys: string[]
}

/**
 * Starts `serve` with one worker on a tree.
 *
 * @param args more arguments for `serve`
 * @param url its store; unless given, one of its own in `folder`
 */
export async function startService(
  folder: string,
  tree: string,
  args: readonly string[] = [],
  accounts: readonly BenchAccount[] = [{ account: 'bench', plan: 'ample' }],
  url = `sqlite:${join(folder, `store-${randomBytes(4).toString('hex')}.sqlite`)}`,
): Promise<BenchService> {
  const plansFile = join(folder, 'plans.json')
  writeFileSync(plansFile, JSON.stringify(plans))
  const store = await openStore(url, { plans, clock: systemClock, mayCreate: true })
  const keys: string[] = []
  for (const account of accounts) {
    const { key } = await createKey({ store, plans, clock: systemClock }, account)
    keys.push(key)
  }
  await store.close()
  const options = { data: tree, store: url, plans: plansFile, port: 0, 'log-level': 'error', workers: 1 }
  const server = await startServer('../clip-lookup.mjs', [
    'serve',
    ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]),
    ...args,
  ])
  return { ...server, keys }
}

/** Makes a tree of so many clips in `folder`, unless it is there. Returns what building it took. */
export function makeTree(folder: string, clips: number): { path: string; built?: Took } {
  const corpus = join(folder, `corpus-${clips}`)
  const path = join(folder, `tree-${clips}`)
  if (existsSync(join(path, 'current.json'))) return { path }
  if (!existsSync(corpus)) makeCorpus(corpus, clips)
  return { path, built: runScript<Took>('build-tree.ts', corpus, path) }
}

/** Starts `node:http` alone, which sends what the service answers at a path. */
export async function startBare({ port, keys }: BenchService, path: string): Promise<ServerProcess> {
  const { status, headers, bytes } = await ask(port, path, keys[0]!)
  const own = Object.entries(headers).filter(([name]) => !/^(date|connection|keep-alive)$/.test(name))
  const answer = { status, headers: Object.fromEntries(own), body: bytes.toString('base64') }
  return await startServer('bare.ts', [], { BARE_ANSWER: JSON.stringify(answer) })
}

/** The JSON that the service answers with at a path. */
export async function askJson<Answer>({ port, keys }: BenchService, path: string): Promise<Answer> {
  const { bytes } = await ask(port, path, keys[0]!)
  return JSON.parse(bytes.toString()) as Answer
}

async function ask(port: number, path: string, key: string) {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' },
  })
  const bytes = Buffer.from(await answer.arrayBuffer())
  return { status: answer.status, headers: Object.fromEntries(answer.headers), bytes }
}

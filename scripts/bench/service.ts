import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultPlans, type Plan } from '#contract/plans.ts'
import { systemClock } from '#kit/clock.ts'
import { createKey } from '#metering/administer.ts'
import { openStore } from '#metering/open-store.ts'
import { makeCorpus } from './make-corpus.ts'
import { probe, startServer, type ServerProcess } from './run.ts'

/** No limit that a bench could meet, and a limit that it meets at once. */
const plans: Plan[] = [
  ...defaultPlans,
  { name: 'ample', perPeriod: null, perMinute: 1_000_000_000 },
  { name: 'spent', perPeriod: null, perMinute: 1 },
]

/** The service in a process of its own, with keys in the order of the accounts. */
type BenchService = ServerProcess & { keys: string[] }

/**
 * Starts `serve` with one worker on a tree.
 *
 * @param args more arguments for `serve`
 * @param accounts a key is made for each; the one named `spent` soon is, the others never are
 * @param url its store; unless given, one of its own in `folder`
 */
export async function startService(
  folder: string,
  tree: string,
  args: readonly string[] = [],
  accounts: readonly string[] = ['bench'],
  url = `sqlite:${join(folder, `store-${randomBytes(4).toString('hex')}.sqlite`)}`,
): Promise<BenchService> {
  const plansFile = join(folder, 'plans.json')
  writeFileSync(plansFile, JSON.stringify(plans))
  const store = await openStore(url, { plans, clock: systemClock, mayCreate: true })
  const created = await Array.fromAsync(accounts, (account) =>
    createKey({ store, plans }, { account, plan: account === 'spent' ? 'spent' : 'ample' }),
  )
  await store.close()
  const options = { data: tree, store: url, plans: plansFile, port: 0, 'log-level': 'error', workers: 1 }
  const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
  const server = await startServer('../clip-lookup.mjs', ['serve', ...given, ...args])
  return { ...server, keys: created.map(({ key }) => key) }
}

/** Makes a tree of so many clips in `folder`, unless it is there. Returns what building it took. */
export function makeTree(folder: string, clips: number) {
  const corpus = join(folder, `corpus-${clips}`)
  const path = join(folder, `tree-${clips}`)
  if (existsSync(join(path, 'current.json'))) return { path }
  if (!existsSync(corpus)) makeCorpus(corpus, clips)
  return { path, built: probe('build', corpus, path) }
}

/** Starts `node:http` alone, which sends what the service answers at a path. */
export async function startBare(service: BenchService, path: string): Promise<ServerProcess> {
  const answer = await ask(service, path)
  const own = [...answer.headers].filter(([name]) => !/^(date|connection|keep-alive)$/.test(name))
  const body = Buffer.from(await answer.arrayBuffer()).toString('base64')
  const sent = { status: answer.status, headers: Object.fromEntries(own), body }
  return await startServer('bare.ts', [], { BARE_ANSWER: JSON.stringify(sent) })
}

/** The JSON that the service answers with at a path. */
export async function askJson<Answer>(service: BenchService, path: string): Promise<Answer> {
  return (await (await ask(service, path)).json()) as Answer
}

function ask({ port, keys }: BenchService, path: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { authorization: `Bearer ${keys[0]!}`, 'accept-encoding': 'identity' },
  })
}

import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defaultPlans, type Plan } from '#contract/plans.ts'
import { systemClock } from '#kit/clock.ts'
import { createKey } from '#metering/administer.ts'
import { openStore } from '#metering/open-store.ts'
import { makeCorpus } from './make-corpus.ts'
import { startServer, type ServerProcess } from './server-process.ts'

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
 * Starts `serve` with one worker on a tree, and a store of its own in `folder`.
 *
 * @param args more arguments for `serve`
 */
export async function startService(
  folder: string,
  tree: string,
  args: readonly string[] = [],
  accounts: readonly BenchAccount[] = [{ account: 'bench', plan: 'ample' }],
): Promise<BenchService> {
  const plansFile = join(folder, 'plans.json')
  writeFileSync(plansFile, JSON.stringify(plans))
  const url = `sqlite:${join(folder, `store-${randomBytes(4).toString('hex')}.sqlite`)}`
  const store = await openStore(url, { plans, clock: systemClock })
  const keys: string[] = []
  for (const account of accounts) {
    const { key } = await createKey({ store, plans, clock: systemClock, random: randomBytes }, account)
    keys.push(key)
  }
  await store.close()
  const options = { data: tree, store: url, plans: plansFile, port: 0, 'log-level': 'error', workers: 1 }
  const server = await startServer(pathOf('../clip-lookup.ts'), [
    'serve',
    ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]),
    ...args,
  ])
  return { ...server, keys }
}

/** Makes a tree of so many seeded clips in `folder`. Returns its path. */
export function makeTree(folder: string, clips: number): string {
  const corpus = join(folder, 'corpus')
  makeCorpus(corpus, clips)
  return buildTree(corpus, join(folder, 'tree'))
}

/** Builds a tree in a process of its own. Returns its path. */
export function buildTree(corpus: string, tree: string): string {
  execFileSync(process.execPath, [pathOf('build-tree.ts'), corpus, tree])
  return tree
}

/** The path of a file that is named relative to this folder. */
export function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url))
}

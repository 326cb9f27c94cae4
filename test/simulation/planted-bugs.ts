import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Receipt } from '#metering/store.ts'
import { releaseNumber } from '#release/paths.ts'
import { readReleaseFolders } from '#release/release-ids.ts'
import type { Tree } from '#release/tree.ts'
import type { PublishOptions } from '#tree/publish/publish.ts'
import type { State } from '#tree/state.ts'
import type { HttpAnswer } from '../harness/http-client.ts'
import { readLedger, withState } from '../harness/ledger.ts'
import type { Service } from '../harness/service.ts'

/** A bug that is planted between two parts of the service. */
export interface Plant {
  publication?(options: PublishOptions): unknown
  beforeBuild?(dist: string): unknown
  tree?(tree: Tree): unknown
  service?(service: Service): unknown
}

/** Changes the answers to clients, or returns others. */
function withOtherAnswers(change: (path: string, answer: HttpAnswer, get: Service['get']) => unknown): Plant {
  return {
    service(service) {
      const { get } = service
      service.get = async (path, options) => {
        const answer = await get(path, options)
        const other = await change(path, answer, (otherPath) => get(otherPath, options))
        return (other ?? answer) as HttpAnswer
      }
    },
  }
}

const bug = (name: string, seed: number, plant: () => Plant) => [name, seed, plant] as const

/** Returns a bug that changes the state of a tree before each build. */
const bugOfState = (name: string, seed: number, change: (state: State) => void) =>
  bug(name, seed, () => ({ beforeBuild: (dist) => readLedger(dist) && withState(dist, change) }))

/** Bugs, each with the first seed in which the simulation finds it, or a seed before that. */
export const plantedBugs = [
  bug('a publication that writes the pointer first', 3, () => ({
    publication({ target }) {
      const write = target.write.bind(target)
      const lateFiles: Parameters<typeof write>[] = []
      target.write = async (...file) => {
        if (file[0] !== 'current.json') return void lateFiles.push(file)
        for (const each of [file, ...lateFiles]) await write(...each)
      }
    },
  })),
  bug('a publication without a sync', 1, () => ({
    publication: ({ target }) => (target.sync = async () => {}),
  })),
  bug('a publication over any tree', 81, () => ({
    publication: (options) => (options.isReplacingTree = true),
  })),
  bug('a build that continues an older ledger', 3, () => ({
    async beforeBuild(dist) {
      const releases = readLedger(dist)?.releases ?? Infinity
      for (const path of ['current.json', 'index.json']) rmSync(join(dist, path), { force: true })
      for (const id of await readReleaseFolders(dist))
        if (releaseNumber(id) > releases) rmSync(join(dist, 'releases', id), { recursive: true })
    },
  })),
  bugOfState('a build that gives the ordinals of withdrawn clips again', 48, ({ db, head }) => {
    const { last } = db.prepare('SELECT max(ordinal) AS last FROM clips WHERE NOT withdrawn').get()!
    if (last !== null) head.ordinals.en = Number(last) + 1
  }),
  bugOfState('a build that gives names again', 1, ({ db }) =>
    db.exec(`UPDATE clips SET entry = json_set(entry, '$.revision', 1)`),
  ),
  bugOfState('a build that forgets withdrawn clips', 5, ({ db }) =>
    db.exec('DELETE FROM clips WHERE withdrawn'),
  ),
  bugOfState('a build that ends a rollback', 3, ({ head }) => {
    head.release = head.latest
    delete head.heldSince
  }),
  bug('a proxy that believes every file', 3, () => ({
    tree(tree) {
      const readChecked = tree.readChecked.bind(tree)
      tree.readChecked = (path) => readChecked(path, () => true)
    },
  })),
  bug('a proxy that serves the transcript of another clip', 1, () => ({
    tree(tree) {
      const readChecked = tree.readChecked.bind(tree)
      let lastPath = ''
      tree.readChecked = async (path, isRight) => {
        if (!path.startsWith('data/transcripts/')) return await readChecked(path, isRight)
        lastPath ||= path
        return await tree.read(lastPath)
      }
    },
  })),
  bug('a proxy that serves withdrawn clips', 6, () => {
    const answers = new Map<string, HttpAnswer>()
    return withOtherAnswers((path, answer) => {
      if (path.startsWith('/clips/') && answer.status === 200) answers.set(path, answer)
      return answer.status === 404 ? answers.get(path) : undefined
    })
  }),
  bug('a proxy that stays with its release', 1, () => ({
    service: (service) => (service.refresh = async () => {}),
  })),
  bug('a feed that repeats a clip where a page begins', 1, () => {
    let lastItem: unknown
    return withOtherAnswers((path, { json }) => {
      if (!path.startsWith('/feed') || !json.items) return
      if (path.includes('cursor=')) json.items.unshift(lastItem)
      lastItem = json.items.at(-1)
    })
  }),
  bug('a feed that leaves out a clip where a page ends', 1, () =>
    withOtherAnswers((path, { json }) => {
      if (path.startsWith('/feed') && json.items?.length > 2) json.items.pop()
    }),
  ),
  bug('a feed that accepts the cursor of another tree', 1, () =>
    withOtherAnswers((path, { status }, get) =>
      path.startsWith('/feed') && status === 400 ? get('/feed?seed=1') : undefined,
    ),
  ),
  bug('a meter that counts failures', 3, () => ({
    service: ({ store }) => (store.counters.giveBack = async () => {}),
  })),
  bug('a meter that loses the unit of a killed process', 1, () => {
    let lastReceipt: Receipt | null
    return {
      async service({ store: { counters } }) {
        if (lastReceipt) await counters.giveBack(lastReceipt)
        const consume = counters.consume.bind(counters)
        counters.consume = async (...request) => {
          const decision = await consume(...request)
          lastReceipt = ('receipt' in decision && decision.receipt) || null
          return decision
        }
      },
    }
  }),
]

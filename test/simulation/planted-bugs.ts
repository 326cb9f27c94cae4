import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { releaseNumber } from '#release/paths.ts'
import { readReleaseFolders } from '#release/release-ids.ts'
import type { PublishOptions } from '#tree/publish/publish.ts'
import type { State } from '#tree/state.ts'
import type { HttpAnswer } from '../harness/http-client.ts'
import { readLedger, withState } from '../harness/ledger.ts'
import type { Service } from '../harness/service.ts'
import type { FaultyTree } from './faulty-tree.ts'

/** A bug that is planted between two parts of the service. */
export interface Plant {
  publication?(options: PublishOptions): void
  beforeBuild?(dist: string): unknown
  tree?(tree: FaultyTree): void
  service?(service: Service): void
}

/** Changes the state of a tree before each build. */
function withOtherState(change: (state: State) => void): Plant {
  return { beforeBuild: (dist) => readLedger(dist) && withState(dist, change) }
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

let lastItem: unknown
let lastTranscript = ''
const clips = new Map<string, HttpAnswer>()

/** Bugs, each with the first seed in which the simulation finds it. */
export const plantedBugs: readonly [name: string, seed: number, plant: Plant][] = [
  [
    'a publication that writes the pointer first',
    1,
    {
      publication({ target }) {
        const write = target.write.bind(target)
        const lateFiles: Parameters<typeof write>[] = []
        target.write = async (...file) => {
          if (file[0] !== 'current.json') return void lateFiles.push(file)
          for (const each of [file, ...lateFiles]) await write(...each)
        }
      },
    },
  ],
  [
    'a publication that leaves files out',
    1,
    {
      publication({ target }) {
        const compare = target.compare.bind(target)
        target.compare = async (path, bytes) =>
          path.startsWith('data/words/') ? 'same' : await compare(path, bytes)
      },
    },
  ],
  [
    'a publication that does not wait for the disk before it writes the pointer',
    1,
    { publication: ({ target }) => void (target.sync = async () => {}) },
  ],
  [
    'a publication that replaces every tree',
    64,
    { publication: (options) => void (options.isReplacingTree = true) },
  ],
  [
    'a build that continues an older ledger',
    35,
    {
      publication: (options) => void (options.isReplacingTree = true),
      async beforeBuild(dist) {
        const ledger = readLedger(dist)
        if (!ledger) return
        for (const path of ['current.json', 'index.json']) rmSync(join(dist, path), { force: true })
        for (const id of await readReleaseFolders(dist))
          if (releaseNumber(id) > ledger.releases) rmSync(join(dist, 'releases', id), { recursive: true })
      },
    },
  ],
  [
    'a build that gives the ordinals of withdrawn clips again',
    13,
    withOtherState(({ db, head }) => {
      const { last } = db.prepare('SELECT max(ordinal) AS last FROM clips WHERE NOT withdrawn').get()!
      if (last !== null) head.ordinals.en = Number(last) + 1
    }),
  ],
  [
    'a build that gives names again',
    1,
    withOtherState(({ db }) => db.exec(`UPDATE clips SET entry = json_set(entry, '$.revision', 1)`)),
  ],
  [
    'a build that forgets withdrawn clips',
    10,
    withOtherState(({ db }) => db.exec('DELETE FROM clips WHERE withdrawn')),
  ],
  [
    'a build that ends a rollback',
    15,
    withOtherState(({ head }) => {
      head.release = head.latest
      delete head.heldSince
    }),
  ],
  [
    'a proxy that believes every file',
    4,
    {
      tree(tree) {
        const read = tree.readChecked.bind(tree)
        tree.readChecked = (path) => read(path, () => true)
      },
    },
  ],
  [
    'a proxy that serves the transcript of another clip',
    1,
    {
      tree(tree) {
        const read = tree.readChecked.bind(tree)
        tree.readChecked = async (path, isRight) => {
          if (!path.startsWith('data/transcripts/')) return await read(path, isRight)
          const otherPath = lastTranscript || path
          lastTranscript = path
          return await read(otherPath, () => true)
        }
      },
    },
  ],
  [
    'a proxy that serves withdrawn clips',
    1,
    withOtherAnswers((path, answer) => {
      if (path.startsWith('/clips/') && answer.status === 200) clips.set(path, answer)
      return answer.status === 404 ? clips.get(path) : undefined
    }),
  ],
  [
    'a feed that repeats a clip where a page begins',
    1,
    withOtherAnswers((path, { json }) => {
      if (!path.startsWith('/feed') || !json.items) return
      if (path.includes('cursor=')) json.items.unshift(lastItem)
      lastItem = json.items.at(-1)
    }),
  ],
  [
    'a feed that leaves out a clip where a page ends',
    1,
    withOtherAnswers((path, { json }) => {
      if (path.startsWith('/feed') && json.items?.length > 2) json.items.pop()
    }),
  ],
  [
    'a feed that accepts the cursor of another tree',
    1,
    withOtherAnswers((path, { status }, get) =>
      path.startsWith('/feed') && status === 400 ? get('/feed?seed=1') : undefined,
    ),
  ],
  [
    'a meter that counts requests that fail',
    4,
    { service: ({ store: { counters } }) => void (counters.giveBack = async () => {}) },
  ],
  [
    'a meter that has the latest units only in memory',
    3,
    {
      service({ store: { counters } }) {
        const [consume, peek, giveBack] = [
          counters.consume.bind(counters),
          counters.peek.bind(counters),
          counters.giveBack.bind(counters),
        ]
        const receipts = new Set<unknown>()
        counters.consume = async (subject, units) => {
          const decision = await consume(subject, units)
          if (decision.outcome !== 'admitted' || !decision.receipt) return decision
          receipts.add(decision.receipt)
          await giveBack(decision.receipt)
          return decision
        }
        counters.giveBack = async (receipt) => void receipts.delete(receipt)
        counters.peek = async (subject) => {
          for (const receipt of receipts) if (receipts.delete(receipt)) await consume(subject, 1)
          return await peek(subject)
        }
      },
    },
  ],
]

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import { entriesOf as readEntries, fillStore, type AccountEntry } from '#metering/copy-store.ts'
import type { MeterStore } from '#metering/meter-store.ts'
import { longTest } from '../harness/fault-rounds.ts'
import { failure, run as runCommand, type Outcome } from '../harness/command.ts'
import { redisProgram, sharedRedis } from '../harness/redis-server.ts'
import { withStore } from '../harness/store.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { addAccount, keyed, newKey } from '../metering/ann.ts'

let folder: string
beforeEach(() => void (folder = tempFolder()))

const run = (...args: string[]): Promise<Outcome> => runCommand(folder, args)
const sqlite = (name: string) => `sqlite:${join(folder, name)}`

const within = <T>(url: string, work: (store: MeterStore) => Promise<T>): Promise<T> =>
  withStore(url, defaultPlans, ({ store }) => work(store))

/** Fills a store with accounts that have keys, one of them disabled and one rotated, and counts. */
async function fill(url: string) {
  await within(url, async (store) => {
    for (const [i, account] of ['zoe', 'Bäckerei {Öz} *', 'ann'].entries()) {
      await addAccount(store, account, 'growth', `${i}a`, `${i}b`)
      for (let unit = 0; unit < 7; unit++) await store.counters.consume(keyed(`${i}a`), 1)
    }
    await store.directory.setKeyEnabled('key_0b', false)
    await store.directory.rotateKey('key_2a', newKey('c'), 3_600_000)
    for (const [i, actor] of ['zoe', 'admin API', 'ann'].entries())
      await store.directory.log({ actor, action: 'accounts rename', details: { account: String(i) } })
  })
  return await contentOf(url)
}

/** Returns everything that a copy of a store must have. */
async function contentOf(url: string) {
  return await within(url, async (store) => ({
    secret: await store.directory.cursorSecret(),
    entries: await Array.fromAsync(readEntries(store)),
    changes: await Array.fromAsync(store.directory.changes()),
  }))
}

describe.skipIf(!redisProgram)('store copy', () => {
  const redis = sharedRedis()

  test('copies accounts, keys, periods, changes and the secret from SQLite to Redis and back', async () => {
    const [first, second, third] = [sqlite('first.sqlite'), redis(), sqlite('third.sqlite')]
    const original = await fill(first)
    const { code, stdout, stderr } = await run('store', 'copy', first, second, '--json')
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ accounts: 3, keys: 7, periods: 3, requests: 21 })
    expect((await run('store', 'copy', second, third)).code).toBe(0)
    for (const url of [second, third]) expect(await contentOf(url)).toEqual(original)
  })

  test('continues the original’s counts', async () => {
    const [from, to] = [redis(), redis()]
    await fill(from)
    expect((await run('store', 'copy', from, to)).code).toBe(0)
    await within(to, async (store) => {
      const admitted = { outcome: 'admitted', quota: { requests: 8 } }
      expect(await store.counters.consume(keyed('0a'), 1)).toMatchObject(admitted)
      expect(await store.counters.consume(keyed('0b'), 1)).toEqual({ outcome: 'unknown_key' })
    })
  })

  test.each([
    ['SQLite', () => [sqlite('used.sqlite'), redis()] as const],
    ['Redis', () => [redis(), sqlite('used.sqlite')] as const],
  ])(
    'is refused while another process, even an idle one, has the source or target in %s open',
    async (_, urls) => {
      const [used, other] = urls()
      await fill(used)
      const child = await openElsewhere(used)
      for (const [from, to] of [
        [used, other],
        [other, used],
      ] as const) {
        if (from === other) await within(other, (store) => store.directory.createAccount('eve', 'trial'))
        const reason = /^Cannot copy the store: cannot open the store ".*": another process is using it\.\n$/
        expect(await run('store', 'copy', from, to)).toEqual(failure(1, reason))
      }
      // The use ends with the process, even if that is killed.
      child.kill('SIGKILL')
      await once(child, 'exit')
      await expect.poll(async () => (await run('store', 'copy', used, redis())).stderr).toBe('')
    },
  )

  longTest('is refused if the target is not empty, and leaves it unchanged', async () => {
    const [from, to] = [sqlite('from.sqlite'), redis()]
    await fill(from)
    await within(to, (store) => store.directory.createAccount('eve', 'trial'))
    const reason = 'Cannot copy the store: the target is not empty.\n'
    expect(await run('store', 'copy', from, to)).toEqual(failure(1, reason))
    await within(to, async (store) => expect(await store.directory.accounts()).toHaveLength(1))
  })

  test('creates no file if it fails', async () => {
    const occupied = redis()
    const nowhere = await run('store', 'copy', 'sqlite:nowhere.sqlite', 'sqlite:new.sqlite')
    expect(nowhere).toEqual(failure(1, 'the file does not exist'))
    expect((await run('store', 'copy', 'redis://127.0.0.1:1', 'sqlite:new.sqlite')).code).toBe(1)
    expect((await run('store', 'copy', occupied, occupied)).code).toBe(2)
    expect(existsSync(join(folder, 'new.sqlite'))).toBe(false)
    expect(existsSync(join(folder, 'nowhere.sqlite'))).toBe(false)
  })

  longTest('leaves a Redis that cannot be opened if it is interrupted', async () => {
    const to = redis()
    async function* broken(): AsyncGenerator<AccountEntry> {
      const record = { id: 'x', account: 'ann', plan: 'trial', createdAtMs: 0, deletedAtMs: null, keys: [] }
      const account = { ...record, bySignUp: false }
      yield { account, counts: { latestMs: null, periods: [] }, countsOfKeys: [] }
      throw new Error('broken off')
    }
    async function* noChanges(): AsyncGenerator<string> {}
    await within(to, async (store) => {
      await expect(fillStore(store, Buffer.alloc(32), broken(), noChanges())).rejects.toThrow('broken off')
    })
    await expect(within(to, async () => {})).rejects.toThrow('a copy into it was not finished')
  })
})

/** Starts a process that has the store open and does nothing. */
async function openElsewhere(url: string) {
  const program = `
    import { openStore } from '#metering/open-store.ts'
    const plans = ${JSON.stringify(defaultPlans)}
    await openStore(${JSON.stringify(url)}, { plans, clock: { now: () => Date.now() }, mayCreate: true })
    console.log('open')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: new URL('../..', import.meta.url),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return child
}

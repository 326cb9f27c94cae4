import { chmodSync, cpSync, readdirSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import { openStore } from '#metering/open-store.ts'
import { createKey, run } from '../harness/command.ts'
import { startFaultyOrigin } from '../harness/faulty-origin.ts'
import { flipBit } from '../harness/flip-bit.ts'
import { sharedServedFolder } from '../harness/serve-process.ts'
import { startUpstream } from '../harness/upstream.ts'

type Finding = { check: string; ok: boolean; message: string }

const everyCheck =
  'node, store, tree, limits, origin, cache, clock, ports, plans, file modes, analysers, settings'.split(', ')
const store = 'sqlite:var/clip-lookup.sqlite'
const folder = sharedServedFolder(defaultPlans)
beforeAll(() => createKey(folder.path))

/** Returns the findings of `doctor` in the folder; by default on a free port. */
async function examine(args: string[] = [], settings: Record<string, string> = {}) {
  const { code, stdout } = await run(folder.path, ['doctor', '--json', '--port', '0', ...args], settings)
  const findings = JSON.parse(stdout) as Finding[]
  const failed = Object.fromEntries(
    findings.filter(({ ok }) => !ok).map(({ check, message }) => [check, message]),
  )
  return { code, findings, failed }
}

/** Creates a store with an account, by a clock that is ahead by this much. */
async function makeStore(name: string, plan = 'trial', aheadMs = 0): Promise<void> {
  const clock = { now: () => Date.now() + aheadMs }
  const made = await openStore(`sqlite:${join(folder.path, name)}`, { plans: defaultPlans, clock })
  await made.directory.createAccount('ann', plan)
  await made.close()
}

/** Starts a server that handles every request with `answer`, and returns its port. */
async function portOf(answer: RequestListener): Promise<string> {
  return new URL((await startUpstream(answer)).address).port
}

test('finds nothing wrong with a healthy service, and exits with 0', async () => {
  const { code, findings } = await examine()
  expect(findings.map(({ check }) => check)).toEqual(everyCheck)
  expect(findings.filter(({ ok }) => !ok)).toEqual([])
  expect(Object.keys(findings[0]!)).toEqual(['check', 'ok', 'message'])
  expect(code).toBe(0)
})

test('without --json prints a line for each check', async () => {
  const { code, stdout } = await run(folder.path, ['doctor', '--port', '0', '--data', '.'])
  expect(code).toBe(1)
  expect(stdout.trimEnd().split('\n')).toHaveLength(everyCheck.length)
  expect(stdout).toMatch(/^FAIL {2}tree/m)
})

test('serve reports a misspelled setting once, when it starts', async () => {
  const settings = { CLIP_LOOKUP_TRUST_PROXI: '10.0.0.1', CLIP_LOOKUP_CORPUS: 'src' }
  const serving = await folder.start({ store, workers: 2, settings })
  await serving.kill()
  const reported = serving.lines.filter((line) => line.includes('there is no setting'))
  const advice = 'there is no setting CLIP_LOOKUP_TRUST_PROXI. Did you mean CLIP_LOOKUP_TRUST_PROXY?'
  expect(reported).toEqual([expect.stringContaining(advice)])
})

test('accepts the service itself on the port, even while it uses the store', async () => {
  const serving = await folder.serve({ store, workers: 1 })
  const { code, findings } = await examine(['--port', String(serving.port)])
  expect(findings.find(({ check }) => check === 'ports')!.message).toContain('The service already answers')
  expect(code).toBe(0)
})

describe('exits with 1 and says what to do', () => {
  test('without a store', async () => {
    const { code, failed } = await examine(['--store', 'sqlite:nowhere.sqlite'])
    expect(code).toBe(1)
    expect(Object.keys(failed)).toEqual(['store', 'file modes'])
    expect(failed.store).toContain('Create it with "keys create --account NAME"')
  })

  test('with a store that is out of reach', async () => {
    const { failed } = await examine(['--store', 'redis://127.0.0.1:1'])
    expect(failed.store).toContain('ECONNREFUSED')
    expect(failed.store).toContain('Check the address, and that the server is running.')
  })

  test.each([
    ['an account on a plan that is not in the plans', 'gold', 0, '"ann" is on the plan "gold"'],
    ['a clock that is behind, or was ahead', 'trial', 86_400_000, 'The clock is or was wrong'],
  ])('with %s', async (_, plan, aheadMs, message) => {
    await makeStore(`${plan}.sqlite`, plan, aheadMs)
    expect((await examine(['--store', `sqlite:${plan}.sqlite`])).failed.store).toContain(message)
  })

  test('with a store that every user can read', async () => {
    const file = join(folder.path, 'open.sqlite')
    await makeStore('open.sqlite')
    chmodSync(file, 0o644)
    expect((await examine(['--store', 'sqlite:open.sqlite'])).failed).toEqual({
      'file modes': `Every user on this machine can open "${file}" (mode 644). Run chmod o-rwx "${file}".`,
    })
  })

  test('without a release', async () => {
    const { failed } = await examine(['--data', '.'])
    expect(Object.keys(failed)).toEqual(['tree'])
    expect(failed.tree).toContain('Build one, or set --data')
  })

  test('with an origin that answers incorrectly, or has another time', async () => {
    const port = await portOf((_, res) => {
      res.writeHead(404, { Date: new Date(Date.now() - 600_000).toUTCString() }).end()
    })
    const { failed } = await examine(['--data', `http://127.0.0.1:${port}`])
    expect(failed.origin).toContain('Cannot read current.json')
    // Its answer has whole seconds, and may take a second or more on a busy machine.
    expect(failed.clock).toMatch(/differs from the clock of the origin by (59\d|60[01]) s\. Set it/)
  })

  test('with an origin that is down behind a warm cache', async () => {
    const origin = await startFaultyOrigin(join(folder.path, 'dist'))
    const args = ['--data', origin.address, '--data-cache', join(folder.path, 'cache')]
    expect((await examine(args)).failed).toEqual({})
    await origin.close()
    const { failed } = await examine(args)
    expect(failed.origin).toContain('Cannot read current.json')
    expect(failed.tree).toContain('Cannot read "data/clips/')
  })

  test('with a cache that cannot be written', async () => {
    const origin = await startFaultyOrigin(join(folder.path, 'dist'))
    writeFileSync(join(folder.path, 'file'), '')
    const { failed } = await examine(['--data', origin.address, '--data-cache', join('file', 'cache')])
    expect(failed).toEqual({ cache: expect.stringContaining('cannot start while the origin is down') })
    expect(failed.cache).toContain('Change the owner, or set --data-cache.')
  })

  test('with a damaged table', async () => {
    const tree = join(folder.path, 'damaged')
    cpSync(join(folder.path, 'dist'), tree, { recursive: true })
    const release = readdirSync(join(tree, 'releases'))[0]!
    flipBit(join(tree, 'releases', release, 'words.bin'), 0.5)
    const advice = 'words.bin": it does not match the manifest. Run "verify" to list the damaged files'
    expect((await examine(['--data', tree])).failed.tree).toContain(advice)
  })

  test('with an option that serve refuses', async () => {
    const settings =
      '--trust-proxy must list addresses and networks like 10.0.0.0/8, but it contains "10.0.0.0/99".'
    expect((await examine(['--trust-proxy', '10.0.0.0/99'])).failed).toEqual({ settings })
  })

  test('with a port that another program uses', async () => {
    const port = await portOf((_, res) => void res.end('{}'))
    const ports = `127.0.0.1:${port} is in use by another program. Stop that program, or choose another port.`
    expect((await examine(['--port', port])).failed).toEqual({ ports })
    expect((await examine(['--admin-port', port])).failed.ports).toContain('in use by another program')
  })

  test('with invalid plans', async () => {
    writeFileSync(join(folder.path, 'wrong.json'), '[]')
    const { failed } = await examine(['--plans', 'wrong.json'])
    expect(failed.plans).toContain('it must contain')
  })

  test('with a misspelled setting', async () => {
    const settings = 'There is no setting CLIP_LOOKUP_STROE. Did you mean CLIP_LOOKUP_STORE?'
    const { failed } = await examine([], { CLIP_LOOKUP_STROE: 'x', CLIP_LOOKUP_KEEP: '3' })
    expect(failed).toEqual({ settings })
  })
})

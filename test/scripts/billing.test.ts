import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { beforeEach, describe, expect, test } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import { createKey } from '#metering/administer.ts'
import { openStore } from '#metering/open-store.ts'
import { signUp } from '#metering/sign-up.ts'
import { failure, type Outcome, recorder, run as runCommand, runJson } from '../harness/command.ts'
import { commands } from '../../scripts/commands.ts'
import { runProgram } from '../../scripts/program.ts'
import { withStore } from '../harness/store.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { addAccount, keyed } from '../metering/ann.ts'

let folder: string
beforeEach(() => void (folder = tempFolder()))

const run = (...args: string[]): Promise<Outcome> => runCommand(folder, args)
const storeUrl = () => `sqlite:${folder}/var/clip-lookup.sqlite`
const json = <T>(...args: string[]) => runJson<T>(folder, args)

type Created = Record<'account' | 'plan' | 'keyId' | 'key', string>

/** Creates accounts on 31 August, which use this many units in each of the following months. */
async function spend(units: Record<string, number[]>): Promise<void> {
  const clock = { ms: Date.parse('2026-08-31T10:00:00.000Z'), now: () => clock.ms }
  const store = await openStore(storeUrl(), { plans: defaultPlans, clock })
  for (const account of Object.keys(units)) await addAccount(store, account, 'trial', account)
  for (const at of ['2026-08-31', '2026-09-30', '2026-10-31']) {
    clock.ms = Date.parse(`${at}T12:00:00.000Z`)
    for (const [account, months] of Object.entries(units))
      for (let i = months.shift() ?? 0; i > 0; i--) await store.counters.consume(keyed(account), 1)
  }
  await store.close()
}

describe('accounts usage', () => {
  test('--all --period lists the periods that began in a month, with their counts', async () => {
    await spend({ ann: [3, 5, 7], bob: [1, 0, 20] })
    const september = await json('accounts', 'usage', '--all', '--period', '2026-09')
    const period = { periodStart: '2026-09-30T10:00:00.000Z', periodEnd: '2026-10-31T10:00:00.000Z' }
    const limits = { limit: 20, rateLimitPerMinute: 60 }
    expect(september).toEqual([
      { account: 'ann', plan: 'trial', ...period, requests: 5, ...limits },
      { account: 'bob', plan: 'trial', ...period, requests: 0, ...limits },
    ])
    expect(await json('accounts', 'usage', 'bob', '--period', '2026-10')).toMatchObject({ requests: 20 })
    expect(await json('accounts', 'usage', '--all', '--period', '2026-07')).toEqual([])
  })

  test('a month before the account’s creation has no period of it, although the first one is in force', async () => {
    await json('keys', 'create', '--account', 'ann')
    for (const month of ['2020-01', '2024-12']) {
      const period = ['--period', month]
      for (const byKey of [[], ['--by-key']])
        expect(await run('accounts', 'usage', 'ann', ...byKey, ...period)).toEqual(
          failure(1, 'The account "ann" has no period that began in that month.\n'),
        )
      expect(await json('accounts', 'usage', '--all', ...period)).toEqual([])
    }
  })

  test('--csv prints a header and a line for each account, with quotes where they are needed', async () => {
    await spend({ 'Müller, "Sons"': [2], ann: [1] })
    const { stdout } = await run('accounts', 'usage', '--all', '--period', '2026-08', '--csv')
    const period = '2026-08-31T10:00:00.000Z,2026-09-30T10:00:00.000Z'
    const header = 'account,plan,periodStart,periodEnd,requests,limit,rateLimitPerMinute'
    const lines = [header, `"Müller, ""Sons""",trial,${period},2,20,60`, `ann,trial,${period},1,20,60\n`]
    expect(stdout).toBe(lines.join('\r\n'))
  })

  test.each([
    [' ann --period 2026-13', '--period: cannot read the month "2026-13": it must have the form YYYY-MM'],
    [' --all --csv --json', '--csv and --json cannot be used together'],
    [' --all --by-key', '--all and --by-key cannot be used together'],
    [' ann --all', 'The command does not take the argument "ann"'],
    ['', 'The command needs NAME'],
  ])('accounts usage%s is a usage error', async (args, message) => {
    expect(await run(...`accounts usage${args}`.split(' '))).toEqual(failure(2, message))
  })
})

test('accounts delete keeps the periods under the name, with their plan, until they are purged', async () => {
  await spend({ ann: [3, 5, 7], bob: [1, 0, 2] })
  await json('accounts', 'set-plan', 'ann', 'growth')
  await json('accounts', 'delete', 'ann', '--yes')
  const period = ['--period', '2026-09', '--json']
  expect(await json('accounts', 'usage', '--all', ...period)).toMatchObject([
    { account: 'ann', plan: 'trial', requests: 5, limit: 20, rateLimitPerMinute: 60 },
    { account: 'bob', requests: 0 },
  ])
  expect(await json('accounts', 'usage', 'ann', ...period)).toMatchObject({ requests: 5, limit: 20 })
  expect(await run('accounts', 'usage', 'ann')).toEqual(failure(1, 'There is no account "ann".\n'))
  expect(await json('accounts', 'list')).toMatchObject([{ account: 'bob' }])
  expect(await json('accounts', 'purge', 'ann', '--yes')).toMatchObject({ account: 'ann', plan: 'growth' })
  expect(await json('accounts', 'usage', '--all', ...period)).toMatchObject([{ account: 'bob' }])
  expect(await run('accounts', 'purge', 'ann', '--yes')).toMatchObject({ code: 1 })
  expect(await json('accounts', 'purge', 'bob', '--yes')).toMatchObject({ account: 'bob' })
  expect(await json('accounts', 'usage', '--all', ...period)).toEqual([])
  expect(await json('keys', 'list')).toEqual([])
})

describe('the details of a key', () => {
  test('include its name, its note and the day of its last use, with --details', async () => {
    const named = ['--name', ' production ', '--note', ' asked for by Ann ']
    const { keyId, key } = await json<Created>('keys', 'create', '--account', 'ann', ...named)
    const clock = { now: () => Date.parse('2026-08-31T10:00:00.000Z') }
    const store = await openStore(storeUrl(), { plans: defaultPlans, clock })
    await store.counters.consume(keyed(key), 0)
    await store.close()
    const [listed] = await json<Record<string, unknown>[]>('keys', 'list')
    expect(listed).not.toHaveProperty('name')
    const details = { name: 'production', note: 'asked for by Ann', lastUsed: '2026-08-31' }
    expect(await json('keys', 'list', '--details')).toEqual([{ ...listed, ...details }])
    const next = await json<Created>('keys', 'rotate', keyId)
    const rotated = { keyId: next.keyId, name: 'production', note: `rotated from ${keyId}`, lastUsed: null }
    expect((await json<unknown[]>('keys', 'list', '--details'))[1]).toMatchObject(rotated)
  })

  test('include its share of a period, with accounts usage --by-key', async () => {
    await spend({ ann: [3, 5] })
    await run('keys', 'create', '--account', 'ann', '--name', 'staging')
    const [first, second] = await json<Created[]>('keys', 'list')
    expect(await json('accounts', 'usage', 'ann', '--by-key', '--period', '2026-09')).toEqual([
      { keyId: first!.keyId, name: null, requests: 5 },
      { keyId: second!.keyId, name: 'staging', requests: 0 },
    ])
  })

  test.each(['a\u200bb', 'x'.repeat(201)])('do not allow the name %j', async (name) => {
    const reason = 'must each have at most 200 characters, none of them invisible'
    expect(await run('keys', 'create', '--account', 'ann', '--name', name)).toEqual(failure(1, reason))
  })

  test('allow a name of 200 characters', async () => {
    await json('keys', 'create', '--account', 'ann', '--name', '😀'.repeat(200))
    expect(await json('keys', 'list', '--details')).toMatchObject([{ name: '😀'.repeat(200) }])
  })
})

test('store log lists which commands changed what, when and for whom, and never the text of a key', async () => {
  const { keyId, key } = await json<Created>('keys', 'create', '--account', 'ann')
  await run('keys', 'disable', keyId)
  await run('keys', 'enable', keyId)
  const next = await json<Created>('keys', 'rotate', keyId, '--overlap', '1h')
  await run('accounts', 'set-plan', 'ann', 'growth')
  await run('accounts', 'rename', 'ann', 'eve')
  await run('accounts', 'delete', 'nobody', '--yes')
  await run('accounts', 'delete', 'eve', '--yes')
  await run('accounts', 'purge', 'eve', '--yes')
  const { stdout } = await run('store', 'log', '--json')
  const lines = JSON.parse(stdout) as { at: string; actor: string; action: string; details: object }[]
  expect(lines.map(({ action, details }) => [action, details])).toEqual([
    ['keys create', { account: 'ann', plan: 'trial', keyId }],
    ['keys disable', { account: 'ann', keyId }],
    ['keys enable', { account: 'ann', keyId }],
    ['keys rotate', { account: 'ann', keyId, newKeyId: next.keyId, overlapS: 3600 }],
    ['accounts set-plan', { account: 'ann', plan: 'growth' }],
    ['accounts rename', { account: 'ann', name: 'eve' }],
    ['accounts delete', { account: 'eve', plan: 'growth' }],
    ['accounts purge', { account: 'eve', accounts: 1 }],
  ])
  for (const { at, actor } of lines) {
    expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(60_000)
    expect(actor).toMatch(/^.+@.+$/)
  }
  for (const secret of [key, next.key]) expect(stdout).not.toContain(secret)
})

const needsTerminal = 'Without a terminal, the command cannot ask for confirmation. Add --yes to confirm.'

describe('irreversible commands:', () => {
  /** Runs a command on a terminal whose user types a line. */
  async function onTerminal(typed: string, ...args: string[]): Promise<Outcome> {
    const [stdout, stderr] = [recorder(), Object.assign(recorder(), { isTTY: true })]
    const stdin = Object.assign(Readable.from([`${typed}\n`]), { isTTY: true })
    const env = { INIT_CWD: folder }
    const code = await runProgram(args, { env, stdin, stdout, stderr, commands })
    return { code, stdout: stdout.text(), stderr: stderr.text() }
  }

  test.each(['delete', 'purge'])('accounts %s asks on a terminal, or else needs --yes', async (verb) => {
    await run('keys', 'create', '--account', 'ann')
    expect(await run('accounts', verb, 'ann')).toEqual(failure(2, needsTerminal))
    const declined = /^Delete the account "ann"[^?]*\? \[y\/N\] Nothing was changed\.\n$/
    expect(await onTerminal('n', 'accounts', verb, 'ann')).toEqual(failure(1, declined))
    expect(await json('accounts', 'list')).toHaveLength(1)
    expect((await onTerminal('y', 'accounts', verb, 'ann')).code).toBe(0)
    expect(await json('accounts', 'list')).toEqual([])
  })

  test('keys rotate --all asks on a terminal, and says how many keys end and when', async () => {
    for (const account of ['ann', 'bob']) await run('keys', 'create', '--account', account)
    const declined = await onTerminal('', 'keys', 'rotate', '--all', '--overlap', '24h')
    expect(declined.stderr).toContain('Replace 2 keys? The old keys expire in 24h. [y/N] ')
    expect(await json('keys', 'list')).toHaveLength(2)
    expect((await onTerminal('yes', 'keys', 'rotate', '--all', '--overlap', '0')).code).toBe(0)
    expect(await json('keys', 'list')).toHaveLength(4)
  })
})

describe('an account made by sign-up', () => {
  let keyId: string
  const note = () => `the account "bigcorp" was created by sign-up; its keys: ${keyId}\n`

  beforeEach(() =>
    withStore(storeUrl(), defaultPlans, async (context) => {
      const signedUp = await signUp(context, { account: 'bigcorp', address: '192.0.2.1', perDay: 5 })
      keyId = (signedUp as { createdKey: { keyId: string } }).createdKey.keyId
      await createKey(context, { account: 'ann' })
    }),
  )

  test('is marked as one by accounts list and keys create, which list its keys', async () => {
    expect((await run('accounts', 'list')).stderr).toBe(note())
    const { stdout, stderr } = await run('keys', 'create', '--account', 'BigCorp', '--json')
    const created = JSON.parse(stdout) as Created
    expect(created.account).toBe('bigcorp')
    expect(stderr).toContain(note().replace('\n', `, ${created.keyId}\n`))
    expect((await run('keys', 'create', '--account', 'ann')).stderr).not.toContain('sign-up')
  })

  test('whose creation was killed half-way is marked as one without keys', async () => {
    await withStore(storeUrl(), defaultPlans, ({ store }) =>
      store.directory.createAccount('eve', 'trial', true),
    )
    expect((await run('accounts', 'list')).stderr).toContain(
      'the account "eve" was created by sign-up; its keys: none',
    )
  })

  test('gets another plan only with --yes or after a confirmation on a terminal', async () => {
    expect(await run('accounts', 'set-plan', 'bigcorp', 'growth')).toEqual(failure(1, note()))
    expect(await json('accounts', 'usage', 'bigcorp')).toMatchObject({ plan: 'trial' })
    expect(await json('accounts', 'set-plan', 'bigcorp', 'growth', '--yes')).toMatchObject({ plan: 'growth' })
    expect((await run('accounts', 'set-plan', 'ann', 'growth')).code).toBe(0)
  })
})

describe('keys create --from', () => {
  const accounts = () => join(folder, 'accounts.csv')

  test('creates a key for each line of a CSV file, and the accounts that do not exist', async () => {
    await run('keys', 'create', '--account', 'ann', '--plan', 'starter')
    writeFileSync(accounts(), '\uFEFF"account",plan\r\nann,\r\n\r\n"Müller, Sons",growth\r\n bob , trial\r\n')
    const created = await json<Created[]>('keys', 'create', '--from', 'accounts.csv')
    const plans = created.map(({ account, plan }) => `${account}: ${plan}`)
    expect(plans).toEqual(['ann: starter', 'Müller, Sons: growth', 'bob: trial'])
    expect(Object.keys(created[0]!)).toEqual(['account', 'plan', 'keyId', 'key'])
    expect(await json('keys', 'list')).toHaveLength(4)
  })

  test.each([
    ['account,plan\nann,trial\nbob,gold\n', 'line 3: there is no plan "gold"'],
    ['account\nann\n\n"a\nb"\n', 'it must not contain invisible characters'],
    ['name\nann\n', 'line 1 must be "account" or "account,plan", but it is "name"'],
    ['Account,colour\nann,red\n', 'line 1 must be "account" or "account,plan", but it is "account,colour"'],
    ['account,plan\nann\n', 'Invalid Record Length'],
    ['', 'line 1 must be'],
  ])('fails with %j before the first key, and names the line', async (text, message) => {
    writeFileSync(accounts(), text)
    expect(await run('keys', 'create', '--from', 'accounts.csv')).toEqual(failure(1, message))
  })

  test('prints the keys that it has created if a line fails', async () => {
    await run('keys', 'create', '--account', 'bob', '--plan', 'starter')
    writeFileSync(accounts(), 'account,plan\nann,trial\nbob,growth\n')
    const { code, stdout, stderr } = await run('keys', 'create', '--from', 'accounts.csv', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject([{ account: 'ann' }])
    expect(stderr).toContain('stopped after 1 key: line 3: cannot create a key on the plan "growth"')
  })
})

describe('keys rotate in bulk', () => {
  test('replaces every permanent key of an account, or of all', async () => {
    const keyIds: string[] = []
    for (const account of ['ann', 'ann', 'ann', 'bob'])
      keyIds.push((await json<Created>('keys', 'create', '--account', account)).keyId)
    await run('keys', 'disable', keyIds[1]!)
    await run('keys', 'rotate', keyIds[2]!, '--overlap', '24h')
    const rotated = await json<Created[]>('keys', 'rotate', '--account', 'ann', '--overlap', '1h')
    expect(rotated).toHaveLength(2)
    expect(rotated[0]).toMatchObject({ account: 'ann', key: expect.stringMatching(/^clk_/), expiresAt: null })
    expect(await json('keys', 'rotate', '--all', '--overlap', '24h', '--yes')).toHaveLength(3)
    const unknown = await run('keys', 'rotate', '--account', 'eve')
    expect(unknown).toEqual(failure(1, 'There is no account "eve".\n'))
  })

  test('replaces no key after a usage error', async () => {
    await run('keys', 'create', '--account', 'ann')
    for (const [args, message] of [
      [['--yes'], '--all replaces the keys of all customers, so it needs --overlap TIME.'],
      [['--overlap', '24h'], needsTerminal],
      [['--overlap', '24h', '--yes', '--csv', '--json'], '--csv and --json cannot be used together'],
    ] as const)
      expect(await run('keys', 'rotate', '--all', ...args)).toEqual(failure(2, message))
    expect(await json('keys', 'list')).toMatchObject([{ expiresAt: null }])
  })
})

test('prints a single key as CSV when it is created or rotated', async () => {
  const created = await run('keys', 'create', '--account', 'ann', '--csv')
  expect(created.stdout).toMatch(/^account,plan,keyId,key\r\nann,trial,key_\w+,clk_\w+\n$/)
  const [{ keyId }] = await json<[Created]>('keys', 'list')
  const [head, record] = (await run('keys', 'rotate', keyId, '--csv')).stdout.split('\r\n')
  expect(head).toBe('keyId,account,plan,prefix,last4,enabled,createdAt,expiresAt,key')
  expect(record).toMatch(/^key_\w+,ann,trial,.*,,clk_\w+\n$/)
})

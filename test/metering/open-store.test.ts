import { existsSync } from 'node:fs'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import { fixedClock } from '#kit/clock.ts'
import { openStore } from '#metering/open-store.ts'
import { StoreUnavailable } from '#metering/store.ts'
import { freePort } from '../harness/free-port.ts'
import { tempFolder } from '../harness/temp-folder.ts'

const options = { plans: defaultPlans, clock: fixedClock(0) }

test('sqlite:<file> opens a store in the file', async () => {
  const file = `${tempFolder()}/a #1 store?.sqlite`
  await (await openStore(`sqlite:${file}`, options)).close()
  expect(existsSync(file)).toBe(true)
})

test.each([
  ['', ''],
  ['sqlite:', 'sqlite:'],
  ['var/store.sqlite', 'var/store.sqlite'],
  ['postgres://localhost', 'postgres://localhost'],
  ['postgres://ann:secret@localhost', 'postgres://…@localhost'],
  [' sqlite:x', ' sqlite:x'],
  ['redis:', 'redis:'],
  ['xredis://localhost', 'xredis://localhost'],
  ['redis://', 'redis://'],
  ['redis:6379', 'redis:…'],
  ['redis://ann:secret@:6379', 'redis://…'],
  ['redis://:secret', 'redis://…'],
  ['redis://:secret@', 'redis://…'],
  ['rediss://ann:secret', 'rediss://…'],
  ['redis:secret@host', 'redis:…'],
])('%j is not a store, and the message repeats no password', async (url, shown) => {
  await expect(openStore(url, options)).rejects.toThrow(
    `cannot open the store "${shown}": its address must be sqlite:<file>`,
  )
})

test('redis:// and rediss:// fail if nobody listens, and the message repeats no password', async () => {
  const port = await freePort()
  const refusals = ['redis', 'rediss'].map(async (scheme) => {
    const url = `${scheme}://ann:secret@127.0.0.1:${port}`
    const refused = (await openStore(url, options).catch((error: unknown) => error)) as Error
    expect(refused).toBeInstanceOf(StoreUnavailable)
    expect(refused.message).toContain(`the store "${scheme}://…@127.0.0.1:${port}": connect ECONNREFUSED`)
    expect(inspect(refused, { depth: null })).not.toContain('secret')
  })
  await Promise.all(refusals)
})

import { createKey, listKeys, rotateKey, setKeyEnabled } from '#metering/administer.ts'
import { parseDuration } from '#metering/duration.ts'
import { orUsageError, positionals, type Command, type Input } from '../command-line.ts'
import { table } from '../table.ts'
import { administering, storeOptions } from './store-options.ts'

const shownOnce = 'Keep the key: it is shown this once.'

export const create: Command = {
  options: {
    account: { value: 'NAME', description: 'the account that the key spends from', required: true },
    plan: {
      value: 'PLAN',
      description: 'the plan of a new account (trial unless given); one that exists keeps its own',
    },
    ...storeOptions,
  },
  async run(input) {
    positionals(input)
    const { account, plan } = input.values
    const created = await administering(input, (desk) => createKey(desk, { account: account!, plan }), {
      makesStore: true,
    })
    input.print(created, table([created]))
    input.say(shownOnce)
  },
}

export const list: Command = {
  options: storeOptions,
  async run(input) {
    positionals(input)
    const keys = await administering(input, listKeys)
    input.print(keys, keys.length > 0 ? table(keys) : 'no keys')
  },
}

export const disable: Command = {
  positionals: 'ID',
  options: storeOptions,
  run: (input) => setEnabled(input, false),
}

export const enable: Command = {
  positionals: 'ID',
  options: storeOptions,
  run: (input) => setEnabled(input, true),
}

async function setEnabled(input: Input, enabled: boolean): Promise<void> {
  const [keyId] = positionals(input, 'ID')
  const key = await administering(input, (desk) => setKeyEnabled(desk, keyId!, enabled))
  if (enabled && key.expiresAt !== null)
    input.say(`It expires at ${key.expiresAt}: rotation put an end to it, which enabling does not lift.`)
  input.print(key, table([key]))
}

export const rotate: Command = {
  positionals: 'ID',
  options: {
    overlap: {
      value: 'TIME',
      description: 'how long the old key stays in force: 90s, 30m, 24h, 7d',
      default: '0',
    },
    ...storeOptions,
  },
  async run(input) {
    const [keyId] = positionals(input, 'ID')
    const overlapMs = orUsageError(() => parseDuration(input.values.overlap!), '--overlap: ')
    const key = await administering(input, (desk) => rotateKey(desk, keyId!, overlapMs))
    input.print(key, table([key]))
    input.say(shownOnce)
  },
}

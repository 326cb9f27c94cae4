import { readFileSync } from 'node:fs'
import { countText } from '#kit/count-text.ts'
import {
  checkNewKey,
  createKey,
  listKeyDetails,
  listKeys,
  rotateKey,
  setKeyEnabled,
  signUpNotes,
  type AdminContext,
} from '#metering/administer.ts'
import { createKeys, keysToRotate, parseKeyLines } from '#metering/bulk-keys.ts'
import { parseDuration } from '#metering/duration.ts'
import { Failure, orUsageError, positionals, UsageError, type Input, type Run } from '../command-line.ts'
import { checkCanConfirm, confirm } from '../confirm.ts'
import { printRecords } from '../records.ts'
import { sayReport } from '../say-report.ts'
import { fail, lister, readPlans, withStore } from './with-store.ts'

async function create(input: Input): Promise<void> {
  const { account, plan, name, note, from } = input.values
  if ((account === undefined) === (from === undefined))
    throw new UsageError(
      account === undefined
        ? 'the command needs --account NAME'
        : '--account and --from cannot be used together',
    )
  if (from !== undefined) return await createFrom(input, from)
  const plans = readPlans(input)
  // Checked before the store is opened, so that an invalid request leaves no new store behind.
  const newKey = { account: account!, plan, name, note }
  try {
    checkNewKey(plans, newKey)
  } catch (error) {
    fail(error as Error)
  }
  const work = async (context: AdminContext) => {
    const key = await createKey(context, newKey)
    for (const note of await signUpNotes(context, [account!])) input.say(note)
    return key
  }
  await makeKey(input, work, true)
}

async function createFrom(input: Input, from: string): Promise<void> {
  if (input.values.plan !== undefined)
    throw new UsageError('--plan and --from cannot be used together. With --from, the plans are in the file')
  const path = input.path(from)
  const plans = readPlans(input)
  const newKeys = parseKeyLines(readFileSync(path, 'utf8'), path, plans)
  const names = new Set<string>()
  async function* work(context: AdminContext) {
    try {
      for await (const key of createKeys(context, newKeys)) {
        names.add(key.account)
        yield key
      }
    } finally {
      sayReport(input, await signUpNotes(context, [...names]))
    }
  }
  await makeKeys(input, work, createdColumns, newKeys.length > 0)
}

function enabling(isEnabled: boolean): Run {
  return async (input) => {
    const [keyId] = positionals(input, 'ID')
    const key = await withStore(input, (context) => setKeyEnabled(context, keyId!, isEnabled))
    if (isEnabled && key.expiresAt !== null)
      input.say(`The key was rotated and still expires at ${key.expiresAt}.`)
    printRecords(input, key)
  }
}

async function rotate(input: Input): Promise<void> {
  const { account, overlap } = input.values
  const isBulk = account !== undefined || input.switches.all === true
  if (account !== undefined && input.switches.all)
    throw new UsageError('--account and --all cannot be used together')
  const [keyId] = positionals(input, ...(isBulk ? [] : ['ID']))
  const overlapMs = orUsageError(() => parseDuration(overlap ?? '0'), '--overlap: ')
  if (input.switches.all) {
    if (overlap === undefined)
      throw new UsageError('--all replaces the keys of all customers, so it needs --overlap TIME')
    checkCanConfirm(input)
  }
  if (isBulk) {
    async function* work(context: AdminContext) {
      const keyIds = await keysToRotate(context, account)
      if (input.switches.all)
        await confirm(
          input,
          `Replace ${countText(keyIds.length, 'key')}? The old keys expire ${overlap === '0' ? 'now' : `in ${overlap}`}.`,
        )
      for (const id of keyIds) yield await rotateKey(context, id, overlapMs)
    }
    return await makeKeys(input, work, rotatedColumns)
  }
  await makeKey(input, (context) => rotateKey(context, keyId!, overlapMs))
}

const createdColumns = ['account', 'plan', 'keyId', 'key']
const rotatedColumns = 'keyId account plan prefix last4 enabled createdAt expiresAt key'.split(' ')

async function makeKey(
  input: Input,
  work: (context: AdminContext) => Promise<object>,
  makesStore = false,
): Promise<void> {
  printRecords(input, await withStore(input, work, { makesStore }))
  input.say('Save the key now. It will not be shown again.')
}

/**
 * Creates keys and prints them, even if the work stops half-way, because a key is shown only once.
 *
 * @throws {Failure} the work stopped
 */
async function makeKeys(
  input: Input,
  work: (context: AdminContext) => AsyncIterable<object>,
  columns: readonly string[],
  makesStore = false,
): Promise<void> {
  const newKeys: object[] = []
  const collect = async (context: AdminContext) => {
    for await (const key of work(context)) newKeys.push(key)
  }
  const fault = await withStore(input, collect, { makesStore }).catch((error: Error) => {
    if (newKeys.length === 0) throw error
    return error
  })
  printRecords(input, newKeys, 'no keys', columns)
  if (newKeys.length > 0) input.say('Save the keys now. They will not be shown again.')
  if (fault)
    throw new Failure(`the command stopped after ${countText(newKeys.length, 'key')}: ${fault.message}`)
}

export const commands = {
  'keys create': create,
  'keys list': lister(
    (context, { switches }) => (switches.details ? listKeyDetails(context) : listKeys(context)),
    'no keys',
  ),
  'keys disable': enabling(false),
  'keys enable': enabling(true),
  'keys rotate': rotate,
}

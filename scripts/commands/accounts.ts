import {
  backup,
  deleteAccount,
  listAccounts,
  purgeAccount,
  renameAccount,
  setPlan,
  signUpNotes,
  type AdminContext,
  type ShownAccount,
} from '#metering/administer.ts'
import { parseMonth, usage, usageByKey, usageOfAll } from '#metering/usage.ts'
import { orUsageError, positionals, UsageError, type Input, type Run } from '../command-line.ts'
import { checkCanConfirm, confirm } from '../confirm.ts'
import { csv, wantsCsv } from '../csv.ts'
import { sayReport } from '../say-report.ts'
import { table } from '../table.ts'
import { lister, withStore } from './with-store.ts'

const usageColumns = ['plan', 'periodStart', 'periodEnd', 'requests', 'limit', 'rateLimitPerMinute']

const rename = accountCommand(['OLD', 'NEW'], (context, [from, to]) => renameAccount(context, from, to))

const changePlan = accountCommand(['NAME', 'PLAN'], async (context, [name, plan], input) => {
  const notes = await signUpNotes(context, [name])
  for (const note of notes) input.say(note)
  if (notes.length > 0) await confirm(input, `Move the account to the plan "${plan}"?`)
  return await setPlan(context, name, plan)
})

const remove = accountCommand(
  ['NAME'],
  async (context, [name], input) => {
    await confirm(input, `Delete the account "${name}" and its keys?`)
    return await deleteAccount(context, name)
  },
  checkCanConfirm,
)

const purge = accountCommand(
  ['NAME'],
  async (context, [name], input) => {
    await confirm(input, `Delete the account "${name}", its keys and all billing periods under this name?`)
    return await purgeAccount(context, name)
  },
  checkCanConfirm,
)

function accountCommand<const Names extends readonly string[]>(
  names: Names,
  change: (
    context: AdminContext,
    args: { [I in keyof Names]: string },
    input: Input,
  ) => Promise<ShownAccount>,
  check: (input: Input) => void = () => {},
): Run {
  return async (input) => {
    const args = positionals(input, ...names) as { [I in keyof Names]: string }
    check(input)
    const account = await withStore(input, (context) => change(context, args, input))
    input.print(account, table([account]))
  }
}

async function showUsage(input: Input): Promise<void> {
  const { all } = input.switches
  const isCsv = wantsCsv(input)
  const [name] = positionals(input, ...(all ? [] : ['NAME']))
  const { period } = input.values
  const month = period === undefined ? undefined : orUsageError(() => parseMonth(period), '--period: ')
  if (input.switches['by-key']) {
    if (all) throw new UsageError('--all and --by-key cannot be used together')
    const keys = await withStore(input, (context) => usageByKey(context, name!, month))
    const text = () => (keys.length > 0 ? table(keys) : 'no keys')
    return input.print(keys, isCsv ? csv(keys, ['keyId', 'name', 'requests']) : text())
  }
  if (all) {
    const report = await withStore(input, (context) => usageOfAll(context, month))
    const text = () => (report.length > 0 ? table(report) : 'no accounts with this period')
    return input.print(report, isCsv ? csv(report, ['account', ...usageColumns]) : text())
  }
  const record = await withStore(input, (context) => usage(context, name!, month))
  input.print(record, isCsv ? csv([record], usageColumns) : table([record]))
}

async function backUp(input: Input): Promise<void> {
  const [typed] = positionals(input, 'FILE')
  const file = input.path(typed!)
  await withStore(input, (context) => backup(context, file))
  input.print({ file }, `backed up to ${file}`)
}

export const commands = {
  'accounts list': lister(async (context, input) => {
    sayReport(input, await signUpNotes(context))
    return await listAccounts(context)
  }, 'no accounts'),
  'accounts set-plan': changePlan,
  'accounts usage': showUsage,
  'accounts rename': rename,
  'accounts delete': remove,
  'accounts purge': purge,
  'accounts backup': backUp,
}

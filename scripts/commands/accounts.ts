import {
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
import { printRecords } from '../records.ts'
import { sayReport } from '../say-report.ts'
import { lister, withStore } from './with-store.ts'

const usageColumns = ['plan', 'periodStart', 'periodEnd', 'requests', 'limit', 'rateLimitPerMinute']

async function changePlan(context: AdminContext, input: Input, name: string, plan: string) {
  const notes = await signUpNotes(context, [name])
  for (const note of notes) input.say(note)
  if (notes.length > 0) await confirm(input, `Move the account to the plan "${plan}"?`)
  return await setPlan(context, name, plan)
}

/** Runs a change of an account, and prints the account. */
function changing(
  names: readonly string[],
  change: (context: AdminContext, input: Input, ...args: string[]) => Promise<ShownAccount>,
): Run {
  return async (input) => {
    const args = positionals(input, ...names)
    printRecords(input, await withStore(input, (context) => change(context, input, ...args)))
  }
}

/** Runs a deletion for an account once the user has confirmed it. */
function deleting(
  what: (name: string) => string,
  change: (context: AdminContext, name: string) => Promise<ShownAccount>,
): Run {
  const run = changing(['NAME'], async (context, input, name) => {
    await confirm(input, `Delete ${what(name!)}?`)
    return await change(context, name!)
  })
  return (input) => {
    checkCanConfirm(input)
    return run(input)
  }
}

async function showUsage(input: Input): Promise<void> {
  const { all, 'by-key': byKey } = input.switches
  const [name] = positionals(input, ...(all ? [] : ['NAME']))
  const { period } = input.values
  const month = period === undefined ? undefined : orUsageError(() => parseMonth(period), '--period: ')
  if (all && byKey) throw new UsageError('--all and --by-key cannot be used together')
  if (byKey) {
    const keys = await withStore(input, (context) => usageByKey(context, name!, month))
    printRecords(input, keys, 'no keys', ['keyId', 'name', 'requests'])
  } else if (all) {
    const report = await withStore(input, (context) => usageOfAll(context, month))
    printRecords(input, report, 'no accounts with this period', ['account', ...usageColumns])
  } else {
    const record = await withStore(input, (context) => usage(context, name!, month))
    printRecords(input, record, '', usageColumns)
  }
}

async function backUp(input: Input): Promise<void> {
  const [path] = positionals(input, 'FILE')
  const file = input.path(path!)
  await withStore(input, ({ store }) => store.backup(file))
  input.print({ file }, `backed up to ${file}`)
}

export const commands = {
  'accounts list': lister(async (context, input) => {
    sayReport(input, await signUpNotes(context))
    return await listAccounts(context)
  }, 'no accounts'),
  'accounts set-plan': changing(['NAME', 'PLAN'], changePlan),
  'accounts usage': showUsage,
  'accounts rename': changing(['OLD', 'NEW'], (context, _, from, to) => renameAccount(context, from!, to!)),
  'accounts delete': deleting((name) => `the account "${name}" and its keys`, deleteAccount),
  'accounts purge': deleting(
    (name) => `the account "${name}", its keys and all billing periods under this name`,
    purgeAccount,
  ),
  'accounts backup': backUp,
}

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
import { parseMonth, usage, usageByKey, usageOfAll } from '#metering/usage-report.ts'
import { orUsageError, positionals, UsageError, type Command, type Input } from '../command-line.ts'
import { checkCanConfirm, confirm, yesOption } from '../confirm.ts'
import { csv, wantsCsv } from '../csv.ts'
import { sayReport } from '../say-report.ts'
import { table } from '../table.ts'
import { listCommand, storeOptions, withStore } from './store-options.ts'

const usageColumns = ['plan', 'periodStart', 'periodEnd', 'requests', 'limit', 'rateLimitPerMinute']

const rename: Command = {
  ...accountCommand(['OLD', 'NEW'], (context, [from, to]) => renameAccount(context, from, to)),
  details: 'The account keeps its keys, its plan and its counts.',
}

const changePlan: Command = {
  ...accountCommand(
    ['NAME', 'PLAN'],
    async (context, [name, plan], input) => {
      const notes = await signUpNotes(context, [name])
      for (const note of notes) input.say(note)
      if (notes.length > 0) await confirm(input, `Move the account to the plan "${plan}"?`)
      return await setPlan(context, name, plan)
    },
    { yes: yesOption },
  ),
  details:
    'If the account was created by sign-up, the command lists its keys and asks for confirmation, because the person who signed up has these keys.',
}

const remove: Command = {
  ...accountCommand(
    ['NAME'],
    async (context, [name], input) => {
      await confirm(input, `Delete the account "${name}" and its keys?`)
      return await deleteAccount(context, name)
    },
    { yes: yesOption },
    checkCanConfirm,
  ),
  details:
    'The keys stop working immediately. The billing periods are kept under the name of the account until you run "accounts purge NAME". On a terminal, the command asks for confirmation.',
}

const purge: Command = {
  ...accountCommand(
    ['NAME'],
    async (context, [name], input) => {
      await confirm(input, `Delete the account "${name}", its keys and all billing periods under this name?`)
      return await purgeAccount(context, name)
    },
    { yes: yesOption },
    checkCanConfirm,
  ),
  details:
    'The command deletes the account, if it exists, and the billing periods of all deleted accounts with this name. On a terminal, the command asks for confirmation.',
}

function accountCommand<const Names extends readonly string[]>(
  names: Names,
  change: (
    context: AdminContext,
    args: { [I in keyof Names]: string },
    input: Input,
  ) => Promise<ShownAccount>,
  options: Command['options'] = {},
  check: (input: Input) => void = () => {},
): Command {
  return {
    positionals: names.join(' '),
    options: { ...options, ...storeOptions },
    async run(input) {
      const args = positionals(input, ...names) as { [I in keyof Names]: string }
      check(input)
      const account = await withStore(input, (context) => change(context, args, input))
      input.print(account, table([account]))
    },
  }
}

const showUsage: Command = {
  positionals: 'NAME | --all',
  details:
    'Without --period, the command shows the current billing period, like GET /usage. With --period, it shows the period that began in that month (UTC), even for a deleted account. A past period is shown with the last plan and limits that applied to it.',
  options: {
    all: { description: 'show all accounts, in the order of their creation' },
    'by-key': { description: 'show the look-ups of each key of the account' },
    period: { value: 'YYYY-MM', description: 'show the periods that began in this month' },
    csv: { description: 'print CSV' },
    ...storeOptions,
  },
  async run(input) {
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
  },
}

const backUp: Command = {
  positionals: 'FILE',
  options: storeOptions,
  async run(input) {
    const [typed] = positionals(input, 'FILE')
    const file = input.path(typed!)
    await withStore(input, (context) => backup(context, file))
    input.print({ file }, `backed up to ${file}`)
  },
}

export const commands = {
  list: listCommand(async (context, input) => {
    sayReport(input, await signUpNotes(context))
    return await listAccounts(context)
  }, 'no accounts'),
  'set-plan': changePlan,
  usage: showUsage,
  rename,
  delete: remove,
  purge,
  backup: backUp,
}

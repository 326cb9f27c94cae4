import {
  backup,
  deleteAccount,
  listAccounts,
  renameAccount,
  setPlan,
  type AdminContext,
  type ShownAccount,
} from '#metering/administer.ts'
import { parseMonth, usage, usageOfAll } from '#metering/usage-report.ts'
import { orUsageError, positionals, type Command } from '../command-line.ts'
import { csv, wantsCsv } from '../csv.ts'
import { table } from '../table.ts'
import { listCommand, storeOptions, withStore } from './store-options.ts'

const usageColumns = ['plan', 'periodStart', 'periodEnd', 'requests', 'limit', 'rateLimitPerMinute']

const rename: Command = {
  ...accountCommand(['OLD', 'NEW'], (context, [from, to]) => renameAccount(context, from, to)),
  details: 'The account keeps its keys, its plan and its counts. A Redis cluster cannot rename.',
}

const remove: Command = {
  ...accountCommand(['NAME'], (context, [name]) => deleteAccount(context, name)),
  details: 'Its keys stop working at once, and its counts are lost: read its usage first.',
}

function accountCommand<const Names extends readonly string[]>(
  names: Names,
  change: (context: AdminContext, args: { [I in keyof Names]: string }) => Promise<ShownAccount>,
): Command {
  return {
    positionals: names.join(' '),
    options: storeOptions,
    async run(input) {
      const args = positionals(input, ...names) as { [I in keyof Names]: string }
      const account = await withStore(input, (context) => change(context, args))
      input.print(account, table([account]))
    },
  }
}

const showUsage: Command = {
  positionals: 'NAME | --all',
  details:
    'Without --period, it shows the current billing period, as GET /usage does; with it, the period that began in that month (UTC). Limits are those of the current plan.',
  options: {
    all: { description: 'every account, in the order of creation' },
    period: { value: 'YYYY-MM', description: 'the periods that began in this month' },
    csv: { description: 'print CSV' },
    ...storeOptions,
  },
  async run(input) {
    const { all } = input.switches
    const isCsv = wantsCsv(input)
    const [name] = positionals(input, ...(all ? [] : ['NAME']))
    const { period } = input.values
    const month = period === undefined ? undefined : orUsageError(() => parseMonth(period), '--period: ')
    if (all) {
      const report = await withStore(input, (context) => usageOfAll(context, month))
      const text = () => (report.length > 0 ? table(report) : 'no account has such a period')
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
  list: listCommand(listAccounts, 'no accounts'),
  'set-plan': accountCommand(['NAME', 'PLAN'], (context, [name, plan]) => setPlan(context, name, plan)),
  usage: showUsage,
  rename,
  delete: remove,
  backup: backUp,
}

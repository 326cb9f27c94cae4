import {
  backup,
  deleteAccount,
  listAccounts,
  renameAccount,
  setPlan,
  type ShownAccount,
} from '#metering/administer.ts'
import { parseMonth, usage, usageOfAll } from '#metering/usage-report.ts'
import { orUsageError, positionals, UsageError, type Command, type Input } from '../command-line.ts'
import { csv } from '../csv.ts'
import { table } from '../table.ts'
import { withStore, storeOptions } from './store-options.ts'

const usageColumns = ['plan', 'periodStart', 'periodEnd', 'requests', 'limit', 'rateLimitPerMinute']

export const list: Command = {
  options: storeOptions,
  async run(input) {
    positionals(input)
    const accounts = await withStore(input, listAccounts)
    input.print(accounts, accounts.length > 0 ? table(accounts) : 'no accounts')
  },
}

export const changePlan: Command = {
  positionals: 'NAME PLAN',
  options: storeOptions,
  async run(input) {
    const [name, plan] = positionals(input, 'NAME', 'PLAN')
    printAccount(input, await withStore(input, (context) => setPlan(context, name!, plan!)))
  },
}

export const rename: Command = {
  positionals: 'OLD NEW',
  details: 'The account keeps its keys, its plan and its counts. A Redis cluster cannot rename.',
  options: storeOptions,
  async run(input) {
    const [from, to] = positionals(input, 'OLD', 'NEW')
    printAccount(input, await withStore(input, (context) => renameAccount(context, from!, to!)))
  },
}

export const remove: Command = {
  positionals: 'NAME',
  details: 'Its keys stop working at once, and its counts are lost: read its usage first.',
  options: storeOptions,
  async run(input) {
    const [name] = positionals(input, 'NAME')
    printAccount(input, await withStore(input, (context) => deleteAccount(context, name!)))
  },
}

export const showUsage: Command = {
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
    const { all, csv: isCsv, json } = input.switches
    if (isCsv && json) throw new UsageError('--csv and --json cannot be used together')
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

export const backUp: Command = {
  positionals: 'FILE',
  options: storeOptions,
  async run(input) {
    const [typed] = positionals(input, 'FILE')
    const file = input.path(typed!)
    await withStore(input, (context) => backup(context, file))
    input.print({ file }, `backed up to ${file}`)
  },
}

function printAccount(input: Input, account: ShownAccount): void {
  input.print(account, table([account]))
}

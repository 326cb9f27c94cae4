import { backup, listAccounts, setPlan, usage } from '#metering/administer.ts'
import { positionals, type Command } from '../command-line.ts'
import { table } from '../table.ts'
import { administering, storeOptions } from './store-options.ts'

const list: Command = {
  name: 'accounts list',
  summary: 'List the accounts and their plans.',
  options: storeOptions,
  async run(input) {
    positionals(input)
    const accounts = await administering(input, listAccounts)
    input.print(accounts, accounts.length > 0 ? table(accounts) : 'no accounts')
  },
}

const changePlan: Command = {
  name: 'accounts set-plan',
  positionals: 'NAME PLAN',
  summary: 'Put an account on another plan, from the next request on.',
  options: storeOptions,
  async run(input) {
    const [name, plan] = positionals(input, 'NAME', 'PLAN')
    const account = await administering(input, (desk) => setPlan(desk, name!, plan!))
    input.print(account, table([account]))
  },
}

const showUsage: Command = {
  name: 'accounts usage',
  positionals: 'NAME',
  summary: "Show an account's billing period, as GET /usage gives it.",
  options: storeOptions,
  async run(input) {
    const [name] = positionals(input, 'NAME')
    const record = await administering(input, (desk) => usage(desk, name!))
    input.print(record, table([record]))
  },
}

const backUp: Command = {
  name: 'accounts backup',
  positionals: 'FILE',
  summary: 'Copy accounts, keys and counters into a file, while they are in use.',
  options: storeOptions,
  async run(input) {
    const [typed] = positionals(input, 'FILE')
    const file = input.path(typed!)
    await administering(input, (desk) => backup(desk, file))
    input.print({ file }, `backed up to ${file}`)
  },
}

export const accountsCommands: Command[] = [list, changePlan, showUsage, backUp]

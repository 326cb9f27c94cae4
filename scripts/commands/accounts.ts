import { backup, listAccounts, setPlan, usage } from '#metering/administer.ts'
import { positionals, type Command } from '../command-line.ts'
import { table } from '../table.ts'
import { administering, storeOptions } from './store-options.ts'

export const list: Command = {
  options: storeOptions,
  async run(input) {
    positionals(input)
    const accounts = await administering(input, listAccounts)
    input.print(accounts, accounts.length > 0 ? table(accounts) : 'no accounts')
  },
}

export const changePlan: Command = {
  positionals: 'NAME PLAN',
  options: storeOptions,
  async run(input) {
    const [name, plan] = positionals(input, 'NAME', 'PLAN')
    const account = await administering(input, (desk) => setPlan(desk, name!, plan!))
    input.print(account, table([account]))
  },
}

export const showUsage: Command = {
  positionals: 'NAME',
  options: storeOptions,
  async run(input) {
    const [name] = positionals(input, 'NAME')
    const record = await administering(input, (desk) => usage(desk, name!))
    input.print(record, table([record]))
  },
}

export const backUp: Command = {
  positionals: 'FILE',
  options: storeOptions,
  async run(input) {
    const [typed] = positionals(input, 'FILE')
    const file = input.path(typed!)
    await administering(input, (desk) => backup(desk, file))
    input.print({ file }, `backed up to ${file}`)
  },
}

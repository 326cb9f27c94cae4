import { existsSync, rmSync } from 'node:fs'
import { defaultPlans } from '#contract/plans.ts'
import { systemClock } from '#kit/clock.ts'
import { listChanges } from '#metering/administer.ts'
import { copyStore } from '#metering/copy-store.ts'
import { openStore } from '#metering/open-store.ts'
import { Failure, positionals, UsageError, type Command } from '../command-line.ts'
import { table } from '../table.ts'
import { listCommand, storeAddress } from './store-options.ts'

const copy: Command = {
  positionals: 'FROM TO',
  details:
    'The command copies accounts, keys, billing periods and the secret for signing cursors, and then compares the two stores. Rate-limit windows and the number of sign-ups on the current day are not copied. Stop the service first: the command fails while one of the stores is in use.',
  options: {},
  async run(input) {
    const [from, to] = positionals(input, 'FROM', 'TO').map((typed) => storeAddress(input, typed))
    const isNew = to!.file !== null && !existsSync(to!.file)
    if (from!.file !== null && !existsSync(from!.file))
      throw new Failure(`cannot open the store "${from!.file}": the file does not exist`)
    if (from!.url === to!.url) throw new UsageError('FROM and TO are the same store')
    try {
      const copied = await copyBetween(from!.url, to!.url)
      input.print(copied, table([copied]))
    } catch (error) {
      if (isNew) for (const part of ['', '-wal', '-shm']) rmSync(to!.file + part, { force: true })
      throw new Failure(`cannot copy the store: ${(error as Error).message}`, { cause: error })
    }
  },
}

async function copyBetween(from: string, to: string) {
  const common = { plans: defaultPlans, clock: systemClock, unknownPlans: 'allow' } as const
  const options = { ...common, exclusive: true, busyTimeoutMs: 500 }
  await using opened = new AsyncDisposableStack()
  const open = async (url: string, mayCreate: boolean) =>
    opened.adopt(await openStore(url, { ...options, mayCreate }), (store) => store.close())
  return await copyStore(await open(from, false), await open(to, true))
}

const log: Command = {
  ...listCommand(listChanges, 'no changes'),
  details:
    'The log contains the last 100,000 changes by commands and the admin API. Sign-ups are not logged.',
}

export const commands = { copy, log }

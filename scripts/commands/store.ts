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
    'Copies accounts, keys, billing periods and the secret that signs cursors, then compares the two stores. Windows of the current minute and the sign-ups of the day are not copied. Stop the service first: the copy is refused while either store is in use.',
  options: {},
  async run(input) {
    const [from, to] = positionals(input, 'FROM', 'TO').map((typed) => storeAddress(input, typed))
    const isNew = to!.file !== null && !existsSync(to!.file)
    if (from!.file !== null && !existsSync(from!.file))
      throw new Failure(`cannot open the store "${from!.file}": there is no such file`)
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
    'Commands and the admin API add a line for each change: when, who, what. The last 100,000 are kept. Sign-ups are not among them.',
}

export const commands = { copy, log }

import { existsSync, rmSync } from 'node:fs'
import { defaultPlans } from '#contract/plans.ts'
import { systemClock } from '#kit/clock.ts'
import { listChanges } from '#metering/administer.ts'
import { copyStore } from '#metering/copy-store.ts'
import { openStore } from '#metering/open-store.ts'
import { Failure, positionals, UsageError, type Input } from '../command-line.ts'
import { printRecords } from '../records.ts'
import { lister, storeAddress } from './with-store.ts'

async function copy(input: Input): Promise<void> {
  const [from, to] = positionals(input, 'FROM', 'TO').map((address) => storeAddress(input, address))
  const isNew = to!.file !== null && !existsSync(to!.file)
  if (from!.file !== null && !existsSync(from!.file))
    throw new Failure(`cannot open the store "${from!.file}": the file does not exist`)
  if (from!.url === to!.url) throw new UsageError('FROM and TO are the same store')
  try {
    printRecords(input, await copyBetween(from!.url, to!.url))
  } catch (error) {
    if (isNew) for (const part of ['', '-wal', '-shm']) rmSync(to!.file + part, { force: true })
    throw new Failure(`cannot copy the store: ${(error as Error).message}`, { cause: error })
  }
}

async function copyBetween(from: string, to: string) {
  const common = { plans: defaultPlans, clock: systemClock, unknownPlans: 'allow' } as const
  const options = { ...common, exclusive: true }
  await using stores = new AsyncDisposableStack()
  const open = async (url: string, mayCreate: boolean) =>
    stores.adopt(await openStore(url, { ...options, mayCreate }), (store) => store.close())
  return await copyStore(await open(from, false), await open(to, true))
}

export const commands = { 'store copy': copy, 'store log': lister(listChanges, 'no changes') }

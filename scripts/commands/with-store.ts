import { readFileSync, statSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { defaultPlans, parsePlans, type Plan } from '#contract/plans.ts'
import { explainSystemError } from '#kit/explain-system-error.ts'
import { systemClock } from '#kit/clock.ts'
import type { AdminContext } from '#metering/administer.ts'
import { fileOfAddress, openStore } from '#metering/open-store.ts'
import { Failure, orUsageError, type Input, type Run } from '../command-line.ts'
import { printRecords } from '../records.ts'

/**
 * Returns the plans in the file that `--plans` names, or the built-in ones.
 *
 * @throws {SyntaxError} they are malformed
 * @throws {Error} a system error: they cannot be read
 */
export function readPlans(input: Input): readonly Plan[] {
  if (!input.values.plans) return defaultPlans
  const path = input.path(input.values.plans)
  return parsePlans(readFileSync(path, 'utf8'), path)
}

/**
 * The address of a store as the user gave it, and the absolute path of its file; null for Redis.
 *
 * @throws {UsageError} it does not name a store
 */
export function storeAddress(
  input: Input,
  address = input.values.store!,
): { url: string; file: string | null } {
  const path = orUsageError(() => fileOfAddress(address))
  if (path === null) return { url: address, file: null }
  const file = input.path(path)
  return { url: `sqlite:${file}`, file }
}

/**
 * Opens the store for a use case, and closes it. Accounts may be on an unknown plan, because these
 * commands can change it.
 *
 * A missing store is created only if `makesStore` is set. Otherwise, a misspelled `--store` would
 * create an empty store, and the command would report that it has no records.
 *
 * @throws {Failure} the store cannot be opened, or the use case refused
 */
export async function withStore<T>(
  input: Input,
  useCase: (context: AdminContext) => Promise<T>,
  { makesStore = false } = {},
): Promise<T> {
  const plans = readPlans(input)
  const { url, file } = storeAddress(input)
  if (!makesStore && file !== null && !statSync(file, { throwIfNoEntry: false }))
    throw new Failure(
      `cannot open the store "${file}": the file does not exist. Create it with "keys create" or "serve"`,
    )
  const options = { plans, clock: systemClock, unknownPlans: 'allow', mayCreate: makesStore } as const
  const store = await openStore(url, options).catch(fail)
  try {
    return await useCase({ store, plans, actor: actor() }).catch(fail)
  } finally {
    await store.close()
  }
}

/** Runs a command that prints all records of one kind. */
export function lister(list: (context: AdminContext, input: Input) => Promise<object[]>, none: string): Run {
  return async (input) => printRecords(input, await withStore(input, (context) => list(context, input)), none)
}

/** Returns who makes a change, for the log of changes. */
function actor(): string {
  try {
    return `${userInfo().username}@${hostname()}`
  } catch {
    // A container may run under a number that has no name.
    return `${process.getuid?.() ?? 'somebody'}@${hostname()}`
  }
}

/** Turns an expected error of a promise into a failure: `work.catch(fail)`. @throws {Failure} */
export function fail(error: Error): never {
  throw new Failure(explainSystemError(error), { cause: error })
}

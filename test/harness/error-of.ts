import { expect } from 'vitest'

/** Returns the error with which work is rejected. */
export async function errorOf(work: Promise<unknown>): Promise<Error> {
  return await work.then(
    () => expect.unreachable(),
    (error: Error) => error,
  )
}

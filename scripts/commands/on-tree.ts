import { Refused, TreeLocked } from '#tree/refused.ts'
import { TreeFault } from '#release/tree.ts'
import { explainSystemError, isSystemError } from '#kit/explain-system-error.ts'
import { Failure, type Input } from '../command-line.ts'

/**
 * Runs one use case on the tree that `--out` names.
 *
 * @throws {Failure} what it refused, or what of the tree cannot be read
 */
export async function onTree<T>(input: Input, useCase: (outFolder: string) => Promise<T>): Promise<T> {
  try {
    return await useCase(input.path(input.values.out!))
  } catch (error) {
    const isRefusal = [Refused, TreeLocked, TreeFault, SyntaxError].some((kind) => error instanceof kind)
    if (!isRefusal && !isSystemError(error)) throw error
    throw new Failure(explainSystemError(error as Error), { cause: error })
  }
}

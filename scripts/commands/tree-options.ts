import { Refused, TreeLocked } from '#tree/refused.ts'
import { TreeFault } from '#release/tree.ts'
import { explainSystemError, isSystemError } from '#kit/explain-system-error.ts'
import { Failure, type Input, type Option } from '../command-line.ts'

/** The option of every command that looks after a published tree. */
export const treeOptions: Record<string, Option> = {
  out: { value: 'DIR', description: 'the published tree', default: 'dist' },
}

/** The options of every command that may read a tree from an origin. */
export const originOptions: Record<string, Option> = {
  'data-token': {
    value: 'TOKEN',
    description: 'bearer token for the origin of --data; safer to set in the environment',
  },
  'insecure-origin': { description: 'allow plain http for --data on a public address' },
}

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

import { recover } from './recover.ts'
import { explained, State, type LostLedger } from './state.ts'

/**
 * Runs `work` on a tree while no other build, prune or rollback does. What a killed one left is
 * cleaned up first; `notes` say what an operator should know about that.
 *
 * @throws {TreeLocked} another process is working on the tree
 * @throws {Refused} the ledger of the tree is lost or damaged
 */
export async function holdTree<T>(
  outFolder: string,
  work: (state: State, notes: string[]) => Promise<T>,
  lost?: LostLedger,
): Promise<T> {
  const state = State.open(outFolder, lost)
  try {
    const notes = await recover(outFolder, state)
    return await work(state, notes)
  } catch (error) {
    throw explained(error, outFolder)
  } finally {
    state.close()
  }
}

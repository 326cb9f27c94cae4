import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readTexts } from '#corpus/read-texts.ts'
import { importLedger } from './import-ledger.ts'
import { recover } from './recover.ts'
import { State } from './state.ts'

/**
 * Runs `work` on a tree while no other build, prune or rollback does. What a killed one left is
 * cleaned up first; `notes` say what an operator should know about that.
 *
 * @throws {TreeLocked} another process is working on the tree
 */
export async function holdTree<T>(
  outFolder: string,
  work: (state: State, notes: string[]) => Promise<T>,
): Promise<T> {
  const state = State.open(outFolder)
  try {
    await takeOverFiles(outFolder, state)
    const notes = await recover(outFolder, state)
    return await work(state, notes)
  } finally {
    state.close()
  }
}

const oldLedger = 'ledger.jsonl'
/** Other files that earlier versions kept beside `data/`. They are of no use now. */
const oldFiles = ['seen.jsonl', '.build.lock', 'site-server']

/** Imports, once, the files that earlier versions kept instead of the state. */
async function takeOverFiles(outFolder: string, state: State): Promise<void> {
  if (!existsSync(join(outFolder, oldLedger))) return
  // What is not text becomes a line that is malformed.
  const lines = readTexts(outFolder, oldLedger).map(({ text }) => text ?? '?')
  if (state.head.tree === '') await importLedger(outFolder, state, lines)
  for (const name of [oldLedger, ...oldFiles])
    await rm(join(outFolder, name), { recursive: true, force: true })
}

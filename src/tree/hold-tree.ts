import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readLines } from '#corpus/read-lines.ts'
import { importLedger } from './import-ledger.ts'
import { recover } from './recover.ts'
import { State } from './state.ts'

/**
 * Does some work on a tree that no build, prune or rollback does at the same time. What a killed
 * one left is cleared up first; `notes` say what a person should know of that.
 *
 * @throws {TreeLocked} another process is at work on the tree
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
/** What else earlier versions kept beside `data/`, of no more use. */
const oldFiles = ['seen.jsonl', '.build.lock', 'site-server']

/** Takes over, once, the files that earlier versions kept in the place of the state. */
async function takeOverFiles(outFolder: string, state: State): Promise<void> {
  const ledger = join(outFolder, oldLedger)
  if (!existsSync(ledger)) return
  if (state.head.tree === '') await importLedger(outFolder, state, linesOf(ledger))
  for (const name of [oldLedger, ...oldFiles])
    await rm(join(outFolder, name), { recursive: true, force: true })
}

async function* linesOf(path: string): AsyncGenerator<string> {
  for await (const { text } of readLines(path)) yield text ?? ''
}

/**
 * `count-turns.ts <tree> <turns>`: holds the tree this many times. Each time, it adds one to the
 * value that it read.
 */
import { setTimeout } from 'node:timers/promises'
import { State } from '../../src/tree/state.ts'
import { TreeLocked } from '../../src/tree/refused.ts'

const [tree, turns] = process.argv.slice(2) as [string, string]

function take(): State | null {
  try {
    return State.open(tree)
  } catch (error) {
    if (error instanceof TreeLocked) return null
    throw error
  }
}

for (let left = Number(turns); left > 0;) {
  const state = take()
  if (state) {
    const { turns } = state.db.prepare('SELECT turns FROM counted').get() as { turns: number }
    await setTimeout(1)
    state.db.exec(`UPDATE counted SET turns = ${turns + 1}`)
    state.commit()
    state.close()
    left--
  }
  await setTimeout(1)
}

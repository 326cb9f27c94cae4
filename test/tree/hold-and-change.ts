/**
 * `hold-and-change.ts <tree>`: holds the tree, changes its state without committing, says so, and
 * waits to be killed.
 */
import { State } from '../../src/tree/state.ts'

const state = State.open(process.argv[2]!)
state.db.exec('DELETE FROM clips; DELETE FROM head')
process.stdout.write('changed\n')
setInterval(() => {}, 1_000)

/**
 * `lock-contender.ts <processes> <tree>…`: tries to take each tree at the same instant as the other processes, and says how it went in a file of the
 * tree, `taken-<pid>` or `refused-<pid>`. Who took it holds it until all have tried.
 */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { lockTree, TreeLocked } from '../../src/tree/lock.ts'

const [processes, ...trees] = process.argv.slice(2)

/** Writes a file and waits until every process has written one of these kinds. */
async function meet(tree: string, ...kinds: string[]): Promise<void> {
  writeFileSync(join(tree, `${kinds[0]}-${process.pid}`), '')
  const isOfKind = (name: string) => kinds.some((kind) => name.startsWith(`${kind}-`))
  while (readdirSync(tree).filter(isOfKind).length < Number(processes)) await setImmediate()
}

for (const tree of trees) {
  await meet(tree, 'ready')
  try {
    const lock = await lockTree(tree)
    await meet(tree, 'taken', 'refused')
    await lock.release()
  } catch (error) {
    if (!(error instanceof TreeLocked)) throw error
    await meet(tree, 'refused', 'taken')
  }
}

import { mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Another build holds the tree. */
export class TreeLocked extends Error {
  override name = 'TreeLocked'
}

/**
 * Takes the tree for one build; gives the function that lets it go. A lock whose process is gone is taken over.
 *
 * @throws {TreeLocked} with the process that holds it
 */
export async function lockTree(outFolder: string): Promise<() => Promise<void>> {
  await mkdir(outFolder, { recursive: true })
  const path = join(outFolder, '.build.lock')
  for (;;) {
    try {
      const handle = await open(path, 'wx')
      await handle.writeFile(String(process.pid))
      await handle.close()
      return () => rm(path, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const holder = Number(await readFile(path, 'utf8').catch(() => ''))
    if (holder > 0 && isRunning(holder))
      throw new TreeLocked(`another build, process ${holder}, is at work in "${outFolder}"`)
    await rm(path, { force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

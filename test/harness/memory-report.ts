import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { start } from './command.ts'

const library = `
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')
process.on('SIGUSR2', async () => {
  for (let i = 0; i < 3; i++) {
    collect()
    await new Promise((done) => setTimeout(done, 20))
  }
  const { heapUsed, external } = process.memoryUsage()
  process.stderr.write('in use: ' + (heapUsed + external) + '\\n')
})
`

/** Makes a process with one worker report its memory in use after collecting all garbage. */
export class MemoryReport {
  /** Settings for the environment of the process. */
  readonly settings: Record<string, string>
  #reports = 0

  constructor(folder: string) {
    const path = join(folder, 'memory-report.mjs')
    writeFileSync(path, library)
    this.settings = { NODE_OPTIONS: `--import=${path}` }
  }

  async bytesInUse(server: ReturnType<typeof start>): Promise<number> {
    const number = ++this.#reports
    const told = () => [...server.stderr().matchAll(/^in use: (\d+)$/gm)]
    server.child.kill('SIGUSR2')
    await expect.poll(() => told().length).toBe(number)
    return Number(told()[number - 1]![1])
  }
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder of its own for the running test (or hook), gone when it is finished. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'clip-lookup-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

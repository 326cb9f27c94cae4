import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

/** Returns a temporary folder for the running test (or hook), which is deleted at its end. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'clip-lookup-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Returns a temporary folder for all tests of a file. */
export function sharedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'clip-lookup-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

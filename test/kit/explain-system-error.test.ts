import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { explainSystemError, isSystemError } from '#kit/explain-system-error.ts'
import { tempFolder } from '../harness/temp-folder.ts'

function errorOf(work: () => unknown): Error {
  try {
    work()
  } catch (error) {
    return error as Error
  }
  throw new Error('nothing was thrown')
}

test('describes a file system error: the action, the path, and what to do', () => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'file'), '')
  const missing = join(folder, 'missing')
  expect(explainSystemError(errorOf(() => readFileSync(missing)))).toBe(
    `cannot open "${missing}": there is no such file or folder. Check the path`,
  )
  expect(explainSystemError(errorOf(() => mkdirSync(join(folder, 'file/a'))))).toBe(
    `cannot make the folder "${join(folder, 'file/a')}": a part of the path is a file and not a folder. Check the path`,
  )
  const denied = Object.assign(new Error('EACCES'), { code: 'EACCES', syscall: 'open', path: '/x' })
  expect(explainSystemError(denied)).toMatch(/^cannot open "\/x": permission denied. Run the command as /)
})

test('keeps the message of any other error', () => {
  expect(explainSystemError(new Error('no luck'))).toBe('no luck')
  expect(isSystemError(new Error('no luck'))).toBe(false)
  expect(isSystemError(errorOf(() => readFileSync('/missing')))).toBe(true)
  const db = new DatabaseSync(':memory:')
  expect(isSystemError(errorOf(() => db.exec('PRAGMA max_page_count = 1; CREATE TABLE a (b)')))).toBe(true)
  expect(isSystemError(errorOf(() => db.exec('no statement')))).toBe(false)
})

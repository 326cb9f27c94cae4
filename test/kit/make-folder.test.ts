import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { explainSystemError } from '#kit/explain-system-error.ts'
import { makeFolder } from '#kit/make-folder.ts'
import { tempFolder } from '../harness/temp-folder.ts'

test('creates a folder and its missing parents, with the mode', () => {
  const folder = tempFolder()
  makeFolder(join(folder, 'a/b/c'), 0o700)
  for (const path of ['a', 'a/b', 'a/b/c']) expect(statSync(join(folder, path)).mode & 0o777).toBe(0o700)
})

test('leaves an existing folder, and a link to one, unchanged', () => {
  const folder = tempFolder()
  mkdirSync(join(folder, 'a'), { mode: 0o750 })
  symlinkSync('a', join(folder, 'link'))
  makeFolder(join(folder, 'a'), 0o700)
  makeFolder(join(folder, 'link/b'), 0o700)
  expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o750)
  expect(statSync(join(folder, 'a/b')).isDirectory()).toBe(true)
})

test('creates a relative folder', () => {
  const folder = relative('', join(tempFolder(), 'a/b'))
  makeFolder(folder)
  makeFolder('')
  expect(statSync(folder).isDirectory()).toBe(true)
})

test('fails if a file or a dangling link is in the way', () => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'file'), '')
  symlinkSync('nowhere', join(folder, 'link'))
  for (const path of ['file', 'file/a/b', 'link', 'link/a'])
    expect(() => makeFolder(join(folder, path))).toThrow('EEXIST')
})

test('fails at once if the file system cannot create folders, and says so', () => {
  const make = () => {
    try {
      makeFolder('/proc/no/folder')
    } catch (error) {
      throw new Error(explainSystemError(error as Error))
    }
  }
  expect(make).toThrow(
    'cannot make the folder "/proc/no": the file system does not allow a folder there. Choose another path',
  )
})

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DiskCache } from '#release/origin/disk-cache.ts'
import { tempFolder } from '../../harness/temp-folder.ts'

test('reports once that its folder cannot be written, and again only after a write succeeded', async () => {
  const folder = join(tempFolder(), 'cache')
  const notes: string[] = []
  const cache = new DiskCache(folder, (note) => notes.push(note))
  const keep = async () => await cache.keep('current.json', Buffer.from('{}'))
  writeFileSync(folder, 'in the way')
  await keep()
  await keep()
  const note = `the cache in "${folder}" cannot be used, so the service cannot start while the origin is down: cannot make the folder "${folder}": the path, or a part of it, already exists and is a file. Choose another path`
  expect(notes).toEqual([note])
  rmSync(folder)
  await keep()
  expect(await cache.read('current.json')).toEqual(Buffer.from('{}'))
  rmSync(folder, { recursive: true })
  writeFileSync(folder, 'in the way')
  await keep()
  expect(notes).toEqual([note, note])
})

test('reports once that old releases cannot be deleted', async () => {
  const folder = join(tempFolder(), 'cache')
  const notes: string[] = []
  const cache = new DiskCache(folder, (note) => notes.push(note))
  writeFileSync(folder, 'in the way')
  await cache.deleteOld('000001-00000000')
  await cache.deleteOld('000001-00000000')
  expect(notes).toEqual([
    expect.stringContaining(`the cache in "${folder}" cannot be cleared of old releases: `),
  ])
})

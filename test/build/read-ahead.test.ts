import { writeFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readAhead } from '#build/read-ahead.ts'
import type { BlockToRead } from '#build/tasks.ts'
import { tempFolder } from '../harness/temp-folder.ts'

test('blocks are passed on in order, some read ahead; a missing file is left to who reads it', async () => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'there.json'), '{}')
  let taken = 0
  function* calls(): Generator<BlockToRead[]> {
    for (; taken < 100; taken++)
      yield [{ file: taken % 2 ? 'there.json' : 'gone.json', from: 0, to: taken, known: [] }]
  }
  const passed: BlockToRead[] = []
  for (const [block] of readAhead(folder, calls())) {
    passed.push({ ...block! })
    expect(taken - passed.length).toBeLessThan(20)
    await setImmediate()
  }
  expect(passed.map(({ to }) => to)).toEqual(Array.from({ length: 100 }, (_, i) => i))
  // The first were passed on before anything could be read.
  for (const { file, bytes } of passed.slice(20))
    expect(bytes && Buffer.from(bytes).toString()).toBe(file === 'there.json' ? '{}' : undefined)
})

test('a large file is left to the thread that reads it', async () => {
  const folder = tempFolder()
  const sizeBytes = 64 * 1024 + 1
  writeFileSync(join(folder, 'large.json'), 'x'.repeat(sizeBytes))
  const [[block]] = [...readAhead(folder, [[{ file: 'large.json', from: 0, to: sizeBytes, known: [] }]])] as [
    [BlockToRead],
  ]
  await setImmediate()
  expect(block).not.toHaveProperty('bytes')
})

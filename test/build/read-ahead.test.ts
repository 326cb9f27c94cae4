import { writeFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readAhead } from '#build/read-ahead.ts'
import { tempFolder } from '../harness/temp-folder.ts'

test('orders are given on as they come, some taken ahead; a file that is not there is left to who reads it', async () => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'there.json'), '{}')
  let taken = 0
  function* orders() {
    for (; taken < 100; taken++) yield [{ file: taken % 2 ? 'there.json' : 'gone.json', from: 0, to: taken }]
  }
  const given: number[] = []
  for (const [block] of readAhead(folder, orders())) {
    given.push(block!.to)
    expect(taken - given.length).toBeLessThan(20)
    await setImmediate()
  }
  expect(given).toEqual(Array.from({ length: 100 }, (_, i) => i))
})

import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { TurnQueue } from '#metering/turn-queue.ts'

function queueOf(batches: string[][]): TurnQueue<string> {
  return new TurnQueue((items) => batches.push(items))
}

test('what is added in one turn is handed over together, in its order, when the turn ends', async () => {
  const batches: string[][] = []
  const queue = queueOf(batches)
  queue.add('a')
  process.nextTick(() => queue.add('c'))
  queueMicrotask(() => queue.add('d'))
  queue.add('b')
  expect(batches).toEqual([])
  await turn()
  expect(batches.map((batch) => batch.toSorted())).toEqual([['a', 'b', 'c', 'd']])
  expect(batches[0]!.slice(0, 2)).toEqual(['a', 'b'])
})

test('what is added in the next turn goes by itself', async () => {
  const batches: string[][] = []
  const queue = queueOf(batches)
  queue.add('a')
  await turn()
  queue.add('b')
  queue.add('c')
  await turn()
  expect(batches).toEqual([['a'], ['b', 'c']])
})

test('what is added while a batch is handed over is not lost, and waits for the next', async () => {
  const batches: string[][] = []
  const queue = new TurnQueue<string>((items) => {
    batches.push(items)
    if (batches.length === 1) queue.add('late')
  })
  queue.add('a')
  await turn()
  expect(batches).toEqual([['a']])
  await turn()
  expect(batches).toEqual([['a'], ['late']])
})

test('flush hands over at once what is there, and nothing twice', async () => {
  const batches: string[][] = []
  const queue = queueOf(batches)
  queue.add('a')
  queue.flush()
  expect(batches).toEqual([['a']])
  queue.flush()
  await turn()
  expect(batches).toEqual([['a']])
  queue.add('b')
  await turn()
  expect(batches).toEqual([['a'], ['b']])
})

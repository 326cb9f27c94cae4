import { expect, test } from 'vitest'
import { buildProgress } from '../../scripts/build-progress.ts'
import type { Input } from '../../scripts/command-line.ts'

function telling(isTerminal: boolean) {
  let nowMs = 0
  const said: string[] = []
  const shown: string[] = []
  const input = {
    isTerminal,
    say: (line: string) => said.push(line),
    progress: (line: string) => shown.push(line),
  }
  const tell = buildProgress(input as unknown as Input, () => nowMs)
  return { tell, said, shown, pass: (ms: number) => (nowMs += ms) }
}

test('on a terminal, the share is shown at once, and the rate and the remaining time once they are stable', () => {
  const { tell, said, shown, pass } = telling(true)
  tell({ step: 'read', done: 0, total: 300e6 })
  pass(2_000)
  tell({ step: 'read', done: 4e6, total: 300e6 })
  pass(60_000)
  tell({ step: 'list', done: 32, total: 64 })
  pass(4_000)
  tell({ step: 'list', done: 48, total: 64 })
  tell({ step: 'sync' })
  expect(shown).toEqual([
    'reading the source  0% of 300.0 MB',
    'reading the source  1% of 300.0 MB, 2.0 MB/s, 2 min 28 s left',
    'listing clips by word  50% of 64 parts',
    'listing clips by word  75% of 64 parts, 12 parts/s, 2 s left',
    'syncing to disk …',
  ])
  expect(said).toEqual([])
})

test('elsewhere, prints a plain line every ten seconds, and none during a short build', () => {
  const { tell, said, pass } = telling(false)
  tell({ step: 'read', done: 1e6, total: 10e6 })
  pass(9_999)
  tell({ step: 'read', done: 2e6, total: 10e6 })
  expect(said).toEqual([])
  pass(1)
  tell({ step: 'read', done: 3e6, total: 10e6 })
  pass(5_000)
  tell({ step: 'tables' })
  expect(said).toEqual(['reading the source  30% of 10.0 MB, 0.3 MB/s, 24 s left'])
})

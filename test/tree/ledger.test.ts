import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { holdTree } from '#tree/hold-tree.ts'
import { importLedger, ledgerRecords } from '#tree/ledger-lines.ts'
import type { LedgerEntry } from '#tree/ledger.ts'
import { State } from '#tree/state.ts'
import { ledgerEntry, loseState, readLedger, withState } from '../harness/ledger.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { treeOfFewNights } from '../nightly/few-nights.ts'

const entry: LedgerEntry = {
  ...ledgerEntry,
  revision: 2,
  traits: { lemmas: '0.1 go', sentenceStarts: '0.3' },
}

function stateOf(folder: string): State {
  const state = State.open(folder)
  state.head.tree = 'tree'
  state.head.heldSince = '2026-11-01T02:00:00.000Z'
  state.nextOrdinal('en')
  state.enter(entry)
  state.enter({ ...entry, clipId: 'd', videoId: 'w', ordinal: 1, pruned: true, withdrawn: true })
  state.commit()
  return state
}

function linesOf(state: State): string[] {
  return Array.from(ledgerRecords(state), (record) => JSON.stringify(record))
}

const stream = (lines: readonly string[]) => createInterface({ input: Readable.from(lines.join('\n')) })

test('a ledger reads as it was written, and as it was exported', async () => {
  const [folder, other] = [tempFolder(), tempFolder()]
  const state = stateOf(folder)
  const lines = linesOf(state)
  state.close()
  expect(readLedger(folder)!.entries.get('c')).toEqual(entry)
  expect(readLedger(folder)!.entries.get('d')).toMatchObject({ pruned: true, withdrawn: true })
  const imported = State.open(other)
  imported.enter({ ...entry, clipId: 'only in the replaced ledger' })
  expect(await importLedger(other, imported, stream(['', ...lines, '', '']))).toBe(2)
  imported.close()
  expect(readLedger(other)).toEqual(readLedger(folder))
})

test('assigns each ordinal once, counted by language', () => {
  const state = State.open(tempFolder())
  expect(['en', 'en', 'tr', 'en'].map((language) => state.nextOrdinal(language))).toEqual([0, 1, 0, 2])
  state.nextOrdinal('de')
  expect(Object.keys(state.head.ordinals)).toEqual(['de', 'en', 'tr'])
  state.close()
})

test('finds the live clip of a file that has only one', () => {
  const state = stateOf(tempFolder())
  state.enter({ ...entry, clipId: 'e', videoId: 'x', source: 'clips/all.jsonl' })
  state.enter({ ...entry, clipId: 'f', videoId: 'y', source: 'clips/f.json', withdrawn: true })
  expect(state.publishedFrom(entry.source)?.clipId).toBe('c')
  expect(state.publishedFrom('clips/all.jsonl')).toBeNull()
  expect(state.publishedFrom('clips/f.json')).toBeNull()
  state.close()
})

test('replaces the traits of a clip, and nothing else', () => {
  const state = stateOf(tempFolder())
  const [, other] = state.entries()
  const traits = { lemmas: '0.1 run' }
  state.setTraits(entry.clipId, traits)
  expect(state.traits(entry.clipId)).toEqual(traits)
  expect([...state.entries()]).toEqual([{ ...entry, traits }, other])
  state.close()
})

test('discards what is not committed', () => {
  const folder = tempFolder()
  const state = stateOf(folder)
  state.enter({ ...entry, revision: 3 })
  state.nextOrdinal('en')
  state.close()
  expect(readLedger(folder)).toMatchObject({ ordinals: { en: 1 } })
  expect(readLedger(folder)!.entries.get('c')).toEqual(entry)
})

test('refuses an invalid ledger and names the line, refuses the ledger of another tree, and keeps the existing one', async () => {
  const folder = tempFolder()
  const written = stateOf(folder)
  const [head, ...others] = linesOf(written) as [string, ...string[]]
  written.close()
  const refused: [string[], string][] = [
    [[], 'line 1 is not in the format "clip-lookup ledger", version 1'],
    [['{"format":"another"}'], 'line 1 is not in the format'],
    [[head, others[0]!.replace('{"lemmas"', '"0.1 go","lost":{"lemmas"')], 'line 2 is not in the format'],
    [[head, '{"clipId":'], 'line 2 is not in the format'],
    [[head, others[0]!.replace('"ordinal":0', '"ordinal":"0"')], 'line 2 is not in the format'],
    [
      [head.replace('"version":1', '"version":2'), ...others],
      'it has format version 2, but this program reads version 1',
    ],
    [[head.replace('"version":1', '"version":0'), ...others], 'It is from before 1.0.0'],
    [
      [head.replace('"tree":"tree"', '"tree":"x"'), ...others],
      `the ledger belongs to tree x, but "${folder}" is tree tree`,
    ],
  ]
  for (const [lines, reason] of refused) {
    const state = State.open(folder)
    const error = await importLedger(folder, state, stream(lines)).catch((error: Error) => error)
    expect(error).toMatchObject({ message: expect.stringContaining(reason) })
    state.close()
  }
  const state = State.open(folder)
  expect(linesOf(state)).toEqual([head, ...others])
  state.close()
})

test('replaces a ledger that is older than the tree', async () => {
  const { dist } = await treeOfFewNights()
  const lines = withState(dist, linesOf)
  withState(dist, ({ head }) => void (head.releases = 2))
  await holdTree(dist, (state) => importLedger(dist, state, lines), 'replace')
  expect(withState(dist, linesOf)).toEqual(lines)
})

test('a tree with a lost ledger accepts only its own, or any if nothing shows which tree it is', async () => {
  const { dist } = await treeOfFewNights()
  const lines = withState(dist, linesOf)
  const { tree } = readLedger(dist)!
  const others = lines.map((line) => line.replace(tree, 'another'))
  const importing = (lines: readonly string[]) =>
    holdTree(dist, (state) => importLedger(dist, state, lines), 'replace')
  loseState(dist)
  await expect(importing(others)).rejects.toThrow(
    `the ledger belongs to tree another, but "${dist}" is tree ${tree}`,
  )
  expect(await importing(lines)).toBe(lines.length - 1)
  loseState(dist)
  await rm(join(dist, 'current.json'))
  expect(await importing(others)).toBe(lines.length - 1)
})

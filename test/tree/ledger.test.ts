import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newLedger, nextOrdinal, readLedger, writeLedger, type LedgerEntry } from '#tree/ledger.ts'
import { tempFolder } from '../harness/temp-folder.ts'

const entry: LedgerEntry = {
  clipId: 'c',
  videoId: 'v',
  language: 'en',
  ordinal: 0,
  revision: 2,
  firstRelease: 1,
  source: 'clips/a.json',
  sourceDigest: 's',
  recordDigest: 'r',
  transcriptDigest: 't',
  traits: { lemmas: '0.1 go', sentenceStarts: '0.3' },
}

test('a ledger comes back as it was written', async () => {
  const folder = tempFolder()
  const ledger = { ...newLedger(), tree: 'tree' }
  nextOrdinal(ledger, 'en')
  ledger.entries.set('c', entry)
  await writeLedger(folder, ledger)
  expect(await readLedger(folder)).toEqual(ledger)
})

test('ordinals are given once, counted by language', () => {
  const ledger = newLedger()
  expect(['en', 'en', 'tr', 'en'].map((language) => nextOrdinal(ledger, language))).toEqual([0, 1, 0, 2])
})

test('a folder without one has none', async () => {
  expect(await readLedger(tempFolder())).toBeNull()
})

test('what is no ledger is refused with the line', async () => {
  const folder = tempFolder()
  const write = (text: string) => writeFile(join(folder, 'ledger.jsonl'), text)
  await write('')
  await expect(readLedger(folder)).rejects.toThrow('line 1 is not of clip-lookup ledger, version 2')
  await writeLedger(folder, { ...newLedger(), tree: 'tree' })
  const head = await readFile(join(folder, 'ledger.jsonl'), 'utf8')
  await write(head + '{"clipId":')
  await expect(readLedger(folder)).rejects.toThrow('cannot read "ledger.jsonl": line 2')
  await write(head.replace('"version":2', '"version":3'))
  await expect(readLedger(folder)).rejects.toThrow('line 1')
})

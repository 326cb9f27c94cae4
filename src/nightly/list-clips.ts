import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { levels } from '#contract/levels.ts'
import { wordClipsPath } from '#release/paths.ts'
import { WordListWriter } from '#release/word-list-writer.ts'
import { itemsPerPage, type ClipList } from '#release/word-table.ts'
import { hardness, levelRankOf } from '#rendering/word-clips.ts'
import { moveFile, writeMaking } from './aside.ts'
import type { ListedWord } from './tasks.ts'
import type { SpooledItem } from './word-spool.ts'

type Item = Omit<SpooledItem, 'slot'>

/**
 * Makes the list of a word's clips out of the one before and the items that came, and publishes its pages: those that are there already, by
 * their names, are left alone. Gives null where no clip is left.
 *
 * The items before are copied as bytes: of each only the few numbers that it is sorted by are read.
 */
export function listClips(
  { wordId, language, before, removed }: ListedWord,
  came: SpooledItem[],
  { outFolder, asideFolder }: { outFolder: string; asideFolder: string },
): ClipList | null {
  const old = before ? itemsBefore(outFolder, wordId, language, before) : []
  const gone = new Set(removed)
  const items = merged(
    gone.size === 0 ? old : old.filter((item) => !gone.has(clipIdOf(item))),
    came.sort(byEase),
  )
  if (items.length === 0) return null
  const pages: string[] = []
  const writer = new WordListWriter({ wordId, language }, items.length, (bytes) => {
    pages.push(asidePage(asideFolder, pages.length + 1))
    writeMaking(pages.at(-1)!, bytes)
  })
  const clipsByLevel = levels.map(() => 0)
  for (const item of items) {
    writer.add(item.bytes, item.from, item.to)
    clipsByLevel[levelRankOf(item.hardness)]! += 1
  }
  const { digest, checkpoints } = writer.finish()
  for (const [i, aside] of pages.entries()) {
    const path = join(outFolder, wordClipsPath(language, wordId, digest, i + 1))
    if (existsSync(path)) rmSync(aside)
    else moveFile(aside, path)
  }
  return { digest, clipsByLevel, checkpoints }
}

/** Where a page lies until the name of its list is known. */
function asidePage(asideFolder: string, page: number): string {
  return `${asideFolder}/page-${threadId}.${page}`
}

function byEase(a: Item, b: Item): number {
  return a.hardness - b.hardness || a.tie - b.tie || (clipIdOf(a) < clipIdOf(b) ? -1 : 1)
}

/** Two sorted lists as one. */
function merged(one: readonly Item[], other: readonly Item[]): readonly Item[] {
  if (one.length === 0 || other.length === 0) return one.length === 0 ? other : one
  const items: Item[] = []
  let i = 0
  for (const item of other) {
    while (i < one.length && byEase(one[i]!, item) < 0) items.push(one[i++]!)
    items.push(item)
  }
  while (i < one.length) items.push(one[i++]!)
  return items
}

/** Every item begins `{"clip":"<clipId>","knownShare":`. */
const clipIdAt = '{"clip":"'.length
const clipIdEnd = clipIdAt + 36
const shareAt = clipIdEnd + '","knownShare":'.length
const beforeCount = '"occurrenceCount":'.length

/** The first 48 bits of a clip id, as a number. */
export function tieOf(clipId: string): number {
  return Number.parseInt(clipId.slice(0, 8) + clipId.slice(9, 13), 16)
}

function clipIdOf({ bytes, from }: Item): string {
  return bytes.toString('latin1', from + clipIdAt, from + clipIdEnd)
}

const lineFeed = 10
const comma = 44

/** The items of a published list: all lines of its pages but the first and the last. */
function itemsBefore(
  outFolder: string,
  wordId: number,
  language: string,
  { digest, clipsByLevel }: Pick<ClipList, 'digest' | 'clipsByLevel'>,
): Item[] {
  const items: Item[] = []
  const ranks = clipsByLevel.flatMap((count, rank) => Array<number>(count).fill(rank))
  for (let first = 0; first < ranks.length; first += itemsPerPage) {
    const path = wordClipsPath(language, wordId, digest, first / itemsPerPage + 1)
    const bytes = readFileSync(join(outFolder, path))
    let from = bytes.indexOf(lineFeed) + 1
    for (let i = first; i < Math.min(ranks.length, first + itemsPerPage); i++) {
      const end = bytes.indexOf(lineFeed, from)
      const to = bytes[end - 1] === comma ? end - 1 : end
      items.push({ bytes, from, to, hardness: hardnessOf(bytes, from, ranks[i]!), tie: tieAt(bytes, from) })
      from = end + 1
    }
  }
  return items
}

/** Read digit by digit: of a list there may be millions, and a text for each number takes longer than all the rest. */
function hardnessOf(bytes: Buffer, from: number, rank: number): number {
  let at = from + shareAt
  // `1`, `0`, `0.5` or `0.87`: hundredths.
  let hundredths = (bytes[at++]! - zero) * 100
  if (bytes[at] === point) {
    hundredths += (bytes[at + 1]! - zero) * 10
    if (isDigit(bytes[at + 2]!)) hundredths += bytes[at + 2]! - zero
    while (bytes[at] !== comma) at++
  }
  let occurrenceCount = 0
  for (at += 1 + beforeCount; isDigit(bytes[at]!); at++)
    occurrenceCount = occurrenceCount * 10 + bytes[at]! - zero
  return hardness(rank, { knownShare: hundredths / 100, occurrenceCount })
}

/** `tieOf` the clip id of an item. */
function tieAt(bytes: Buffer, from: number): number {
  let tie = 0
  for (let i = 0; i < 13; i++) {
    const byte = bytes[from + clipIdAt + i]!
    if (byte !== hyphen) tie = tie * 16 + (isDigit(byte) ? byte - zero : byte - smallA + 10)
  }
  return tie
}

const [zero, point, hyphen, smallA] = [48, 46, 45, 97]

function isDigit(byte: number): boolean {
  return byte >= zero && byte <= zero + 9
}

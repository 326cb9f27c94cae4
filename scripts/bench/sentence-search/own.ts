import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { levels } from '#contract/levels.ts'
import { sha256 } from '#kit/digest.ts'
import { joinBytes } from '#kit/join-bytes.ts'
import { rankPage } from '#proxy/sentences/rank.ts'
import { toQuery } from '#proxy/sentences/open-query.ts'
import { searchSegments } from '#proxy/sentences/search.ts'
import type { SegmentCache } from '#proxy/sentences/segment-cache.ts'
import { numberNames, type ClipNumbers } from '#release/clips/layout.ts'
import { ClipTable } from '#release/clips/reader.ts'
import { ClipTableWriter } from '#release/clips/writer.ts'
import type { Release } from '#release/release.ts'
import { segmentPaths, type SegmentEntry } from '#release/sentences/layout.ts'
import { Segment } from '#release/sentences/reader.ts'
import { packSpeech } from '#release/sentences/speech.ts'
import { partsOf } from '#release/sentences/segment-pieces.ts'
import { SegmentWriter } from '#release/sentences/writer.ts'
import { folderTree } from '#release/tree.ts'
import type { SaidClip } from './said.ts'

/** A page: how many clips there are in all, and the first of them. */
export interface Page {
  total: number
  clips: { clipId: string; count: number }[]
}

/** Our index of some clips, in a folder. */
export interface OwnIndex {
  release: Release
  sizeBytes: number
  tokens: number
}

const noNumbers = Object.fromEntries(numberNames.map((name) => [name, 0])) as ClipNumbers

const clipTableName = 'clips.bin'
const entryName = 'segment.json'

/** Writes the parts of a release that a search reads. */
export function buildOwn(clips: readonly SaidClip[], folder: string): void {
  const writer = new SegmentWriter()
  const table = new ClipTableWriter()
  for (const [ordinal, { clipId, tokens, starts, level }] of clips.entries()) {
    const cues = Array.from({ length: Math.ceil(tokens.length / 10) }, () => ({
      sizeBytes: 700,
      tokenCount: 10,
    }))
    const speech = { isInTimeOrder: true, firstCueAt: 150, cues, sentenceStarts: starts }
    writer.add(ordinal, 1, packSpeech(speech, tokens))
    const clip = {
      clipId,
      videoId: `v${ordinal}`,
      title: 't',
      language: 'en',
      level: levels[level]!,
      durationS: 60,
      channel: { id: 'c', name: 'c' },
      embedUrl: '',
      watchUrl: '',
    }
    const digests = { recordDigest: 'A'.repeat(16), transcriptDigest: 'A'.repeat(16) }
    table.add({ clip, ordinal, revision: 1, indexedAtMs: 0, ...noNumbers, ...digests })
  }
  const { head, body, tokens } = writer.finish()
  const parts = partsOf(body)
  const digest = sha256(head).toString('hex')
  const entry: SegmentEntry = { language: 'en', digest, parts: parts.length, clips: clips.length, tokens }
  for (const [i, path] of segmentPaths(entry).entries()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), i === 0 ? head : parts[i - 1]!)
  }
  const clipTable = joinBytes(table.finish({ en: clips.length }, () => [null, null, null, null, null]))
  writeFileSync(join(folder, clipTableName), clipTable)
  writeFileSync(join(folder, entryName), JSON.stringify(entry))
}

/** Opens what `buildOwn` wrote; `formsOf` stands for the catalogue of the release. */
export function openOwn(folder: string, formsOf: (token: string) => string[]): OwnIndex {
  const bytesOf = (path: string) => new Uint8Array(readFileSync(join(folder, path)))
  const entry = JSON.parse(readFileSync(join(folder, entryName), 'utf8')) as SegmentEntry
  const [headPath, ...partPaths] = segmentPaths(entry)
  const head = bytesOf(headPath!)
  const bodyBytes = partPaths.reduce((sum, path) => sum + statSync(join(folder, path)).size, 0)
  const tree = folderTree(folder)
  const release = {
    clips: new ClipTable(bytesOf(clipTableName), clipTableName),
    words: { spellingsLike: formsOf },
    sentences: new Map([['en', [new Segment(head, entry)]]]),
    readRange: tree.readRange.bind(tree),
  }
  return {
    release: release as unknown as Release,
    sizeBytes: head.length + bodyBytes,
    tokens: entry.tokens,
  }
}

/** Asks our index for the first page of a phrase. */
export async function askOwn(
  phrase: readonly string[],
  match: 'forms' | 'exact',
  { release }: OwnIndex,
  cache: SegmentCache,
): Promise<Page> {
  const found = await searchSegments(toQuery(phrase, 'en', match, release), release, cache)
  const page = rankPage(found, release, { levelMask: 63, start: 0, limit: 20 })
  const clips = page.hits.map(({ row, segment, place }) => ({
    clipId: release.clips.clipId(row),
    count: found[segment]!.counts[place]!,
  }))
  return { total: page.totalCount, clips }
}

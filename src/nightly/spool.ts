/**
 * The spool carries records from one step of the build to another that needs them in a different
 * order: from clips to the lists of words, and from clips to the segments of the sentence index.
 * Records go through files, so that memory holds one bucket and not the corpus. Each worker appends
 * to files of its own; a step that reads a bucket reads the files of all workers.
 *
 *     <bucket>.<worker>   frames, one for each record
 *     frame               u32 size of the rest, then the record
 *     item record         u32 wordId, f64 sort key, the JSON of the item
 *     speech record       u32 ordinal, the JSON of [clipId, Speech]
 *     sources.<worker>    the normalised source clips that the worker has checked, end to end;
 *                         `StoredSource` says where each stands
 *
 * Numbers are little-endian.
 */
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  truncate,
} from 'node:fs'
import { join } from 'node:path'
import type { Speech } from '#release/sentences/writer.ts'
import type { ListedClip } from './render/word-clips.ts'
import type { StoredSource } from './source-text.ts'

const sizeBytes = 4
const sortKeyAt = sizeBytes + 4
const itemAt = sortKeyAt + 8
const speechAt = sizeBytes + 4

/** An item of a word's list. Its JSON is in `bytes`, from `from` to `to`. */
export interface SpooledItem {
  wordId: number
  sortKey: number
  bytes: Buffer
  from: number
  to: number
}

/** The words spoken in a clip, for its segment of the sentence index. */
export interface SpooledSpeech {
  ordinal: number
  clipId: string
  speech: Speech
}

export function itemFrame(wordId: number, sortKey: number, item: ListedClip): Buffer {
  const json = JSON.stringify(item)
  const frame = newFrame(itemAt, json)
  frame.writeUInt32LE(wordId, sizeBytes)
  frame.writeDoubleLE(sortKey, sortKeyAt)
  return frame
}

export function speechFrame({ ordinal, clipId, speech }: SpooledSpeech): Buffer {
  const frame = newFrame(speechAt, JSON.stringify([clipId, speech]))
  frame.writeUInt32LE(ordinal, sizeBytes)
  return frame
}

function newFrame(headBytes: number, json: string): Buffer {
  const frame = Buffer.allocUnsafe(headBytes + Buffer.byteLength(json))
  frame.writeUInt32LE(frame.length - sizeBytes)
  frame.write(json, headBytes)
  return frame
}

/** Yields the frames in `bytes`, without copying them. */
export function* splitFrames(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length;) {
    const end = at + sizeBytes + bytes.readUInt32LE(at)
    yield bytes.subarray(at, end)
    at = end
  }
}

export function wordIdOfFrame(frame: Buffer): number {
  return frame.readUInt32LE(sizeBytes)
}

/** Frames to be appended to the spool, by bucket. */
export type FramesByBucket = Map<string | number, Uint8Array[]>

export function appendFrames(folder: string, worker: number, frames: FramesByBucket): void {
  mkdirSync(folder, { recursive: true })
  for (const [bucket, ofBucket] of frames)
    appendFileSync(pathOf(folder, bucket, worker), Buffer.concat(ofBucket))
}

/** Returns the numbers of the workers that have written to the spool. */
export function spoolWorkers(folder: string): number[] {
  if (!existsSync(folder)) return []
  return [...new Set(readdirSync(folder).map((name) => Number(name.slice(name.lastIndexOf('.') + 1))))]
}

export function* takeItems(folder: string, bucket: number, workers: readonly number[]) {
  for (const bytes of takeBucket(folder, bucket, workers)) {
    for (let at = 0; at < bytes.length;) {
      const to = at + sizeBytes + bytes.readUInt32LE(at)
      const wordId = bytes.readUInt32LE(at + sizeBytes)
      const sortKey = bytes.readDoubleLE(at + sortKeyAt)
      yield { wordId, sortKey, bytes, from: at + itemAt, to } satisfies SpooledItem
      at = to
    }
  }
}

export function* takeSpeech(folder: string, bucket: string, workers: readonly number[]) {
  for (const bytes of takeBucket(folder, bucket, workers)) {
    for (const frame of splitFrames(bytes)) {
      const [clipId, speech] = JSON.parse(frame.toString('utf8', speechAt)) as [string, Speech]
      yield { ordinal: frame.readUInt32LE(sizeBytes), clipId, speech }
    }
  }
}

function* takeBucket(folder: string, bucket: string | number, workers: readonly number[]): Generator<Buffer> {
  for (const worker of workers) {
    const path = pathOf(folder, bucket, worker)
    if (!existsSync(path)) continue
    yield readFileSync(path)
    emptySpoolFile(path)
  }
}

/** Appends source clips to the file of a worker, end to end. */
export function storeSources(folder: string, worker: number, contents: readonly string[]): void {
  mkdirSync(folder, { recursive: true })
  appendFileSync(pathOf(folder, 'sources', worker), contents.join(''))
}

export function readStoredSource(folder: string, { worker, from, to }: StoredSource): string {
  using stack = new DisposableStack()
  const descriptor = stack.adopt(openSync(pathOf(folder, 'sources', worker), 'r'), closeSync)
  const bytes = Buffer.allocUnsafe(to - from)
  if (readSync(descriptor, bytes, 0, bytes.length, from) === bytes.length) return bytes.toString()
  throw new Error(`cannot read a source clip from the spool: file ${worker} ends before byte ${to}`)
}

/** Empties the file of a worker's source clips: all of them are published. */
export function dropSources(folder: string, worker: number): void {
  emptySpoolFile(pathOf(folder, 'sources', worker))
}

/**
 * Empties a file, so that bytes which are not on disk yet need not be written. The file is deleted
 * only when the build ends: ext4 skips the inodes of recently deleted files one by one whenever it
 * creates a file. The call is not awaited, because it may wait for the disk, and a failure does no
 * harm.
 */
function emptySpoolFile(path: string): void {
  truncate(path, () => {})
}

function pathOf(folder: string, bucket: string | number, worker: number): string {
  return join(folder, `${bucket}.${worker}`)
}

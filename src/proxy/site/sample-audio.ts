import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nullIfNotFound } from '#kit/not-found.ts'
import { sampleAudioFolder } from '#release/paths.ts'
import { Body } from '../http/body.ts'
import type { Exchange } from '../http/exchange.ts'
import { fieldsOf, matchesEtag, send, sendNoContent } from '../http/send.ts'
import { immutable, pageFields } from './answer.ts'

/**
 * Returns the name of the audio file of a sample clip; null for another path, or for a name that is
 * too long for a file system.
 */
export function sampleAudioName(path: string): string | null {
  return /^\/sample-audio\/([\w-]{1,200}\.mp3)$/.exec(path)?.[1] ?? null
}

/**
 * Answers GET or HEAD for the audio of a sample clip, or of a range of its bytes (RFC 9110 section
 * 14): with 204 until `npm start` has created the file, because browsers log an error status each
 * time a player asks. The files are small, and seldom requested, so they are not kept in memory.
 *
 * @param treeFolder the tree, if it is on this machine
 */
export async function answerSampleAudio(
  exchange: Exchange,
  name: string,
  treeFolder: string | undefined,
  policy: string,
): Promise<void> {
  const file = treeFolder === undefined ? null : readFile(join(treeFolder, sampleAudioFolder, name))
  const bytes = file && (await nullIfNotFound(file))
  if (!bytes) return sendNoContent(exchange, pageFields(policy))
  const answer = (status: number, part: Buffer, more: Record<string, string> = {}) => {
    const fields = () => [
      ...pageFields(policy),
      ...fieldsOf({
        'Access-Control-Allow-Origin': '*',
        'Cache-Control': immutable,
        'Accept-Ranges': 'bytes',
        ...more,
      }),
    ]
    const body = new Body(part)
    // The name contains a digest of what the file was made from.
    return send(exchange, { status, body, type: 'audio/mpeg', isCompressible: false, digest: name, fields })
  }
  const size = bytes.length
  const range = isRangeWanted(exchange, `"${name}"`) ? parseRange(exchange.req.headers.range, size) : null
  if (range === null) return answer(200, bytes)
  const { first, last } = range
  if (first > last) return answer(416, Buffer.alloc(0), { 'Content-Range': `bytes */${size}` })
  const part = bytes.subarray(first, last + 1)
  return answer(206, part, { 'Content-Range': `bytes ${first}-${last}/${size}` })
}

/** Whether to send a range of a file with this entity tag (RFC 9110 section 13.2.2). */
function isRangeWanted({ method, headers, req }: Exchange, etag: string): boolean {
  const ifNoneMatch = headers['if-none-match']
  if (method !== 'GET' || (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, etag))) return false
  const ifRange = req.headers['if-range']
  return ifRange === undefined || ifRange === etag
}

/**
 * Returns the first and the last byte of a `Range`, with `first` after `last` if the body has none
 * of them. Returns null if the whole body must be sent: without a range, and for several ranges or
 * a malformed one (RFC 9110 section 14.2).
 *
 *     parseRange('bytes=-3', 10) // { first: 7, last: 9 }
 */
function parseRange(range: string | undefined, size: number): { first: number; last: number } | null {
  const [, from, to] = /^bytes=(?=[\d-]*\d)(\d*)-(\d*)$/i.exec(range ?? '') ?? []
  if (from === undefined || to === undefined) return null
  if (from === '') return { first: Math.max(0, size - Number(to)), last: size - 1 }
  if (to !== '' && Number(to) < Number(from)) return null
  return { first: Number(from), last: to === '' ? size - 1 : Math.min(Number(to), size - 1) }
}

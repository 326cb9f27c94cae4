import type { ClipText } from '#corpus/clip-blocks.ts'
import { clipIdOf } from '#corpus/clip-id.ts'
import { guessVideoId, parseClip } from '#corpus/parse-clip.ts'
import { sha256, shortDigest } from '#kit/digest.ts'
import type { SourceText } from '#tree/source-text.ts'

/**
 * What a text of a source file holds. Texts that are `known` by their digest are not parsed again.
 */
export function toSourceText(text: ClipText, known: ReadonlyMap<string, SourceText>): SourceText {
  const place = { from: text.from, to: text.to, ...(text.line === undefined ? {} : { line: text.line }) }
  if (text.text === null) return { ...place, reason: text.reason, ...guessed(text.raw ?? '') }
  const raw = shortDigest(text.text)
  const before = known.get(raw)
  if (before) {
    const { line: _, ...rest } = before
    return { ...rest, ...place }
  }
  const parsed = parseClip(text.text)
  if (!parsed.ok) {
    const { ok: _, ...fault } = parsed
    return { ...place, raw, ...fault, ...guessed(text.text) }
  }
  const { videoId, language } = parsed.value
  return {
    ...place,
    raw,
    clipId: clipIdOf(parsed.value),
    videoId,
    language,
    // By it, a source clip is compared with the one that was published.
    digest: sha256(JSON.stringify(parsed.value)).toString('base64url'),
  }
}

function guessed(text: string): { videoId?: string } {
  const videoId = guessVideoId(text)
  return videoId === null ? {} : { videoId }
}

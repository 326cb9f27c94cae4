import { checkClip } from './check-clip.ts'
import { parseRecord, type Parsed } from './parse-record.ts'
import { sourceClipSchema, type SourceClip } from './source-clip.ts'

/**
 * Parses the text of one source clip and checks it whole: fields, ranges, size, and its times
 * against one another.
 */
export function parseClip(text: string): Parsed<SourceClip> {
  const parsed = parseRecord(sourceClipSchema, text)
  if (!parsed.ok) return parsed
  const fault = checkClip(parsed.value)
  return fault ? { ok: false, ...fault } : parsed
}

/**
 * The video that a text which could not be parsed most likely speaks of: its first `"videoId"`. It
 * tells a spoilt clip from one that is gone.
 */
export function guessVideoId(text: string): string | null {
  return /"videoId"\s*:\s*"([A-Za-z0-9_-]{1,64})"/.exec(text)?.[1] ?? null
}

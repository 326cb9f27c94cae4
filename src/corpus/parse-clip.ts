import { checkClip } from './check-clip.ts'
import { parseRecord, type Parsed } from './parse-record.ts'
import { sourceClipSchema, type SourceClip } from './source-clip.ts'

/** Parses the text of one source clip and checks all of it: fields, ranges, size and times. */
export function parseClip(text: string): Parsed<SourceClip> {
  const parsed = parseRecord(sourceClipSchema, text)
  if (!parsed.ok) return parsed
  const fault = checkClip(parsed.value)
  return fault ? { ok: false, ...fault } : parsed
}

/**
 * The video that an invalid text most likely describes: its first `"videoId"`. It distinguishes an
 * invalid clip from one that is gone.
 */
export function guessVideoId(text: string): string | null {
  return /"videoId"\s*:\s*"([A-Za-z0-9_-]{1,64})"/.exec(text)?.[1] ?? null
}

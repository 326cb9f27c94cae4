import type { ClipText } from '#corpus/clip-files.ts'
import { clipIdOf, guessVideo, parseClip, type SourceClip } from '#corpus/source-clip.ts'
import { shortDigest } from '#kit/digest.ts'

/** Where a text stands: bytes `from … to` of a file. */
export interface TextPlace {
  file: string
  /** Counted from 1; 0 if the file is one clip. */
  line: number
  from: number
  to: number
}

/** A source clip that is valid by itself. */
export interface SoundText extends TextPlace {
  clipId: string
  videoId: string
  language: string
  /** Of its normalised content: the layout of the file does not count. */
  digest: string
}

/** A source clip that must be rejected, whatever else the corpus holds. */
export interface FaultyText extends Pick<TextPlace, 'file' | 'line'> {
  field?: string
  reason: string
  /** The video that it most likely describes. */
  videoId?: string
}

/** By it, a source clip is compared with the one that was published. */
export function sourceDigest(clip: SourceClip): string {
  return shortDigest(JSON.stringify(clip))
}

/** What a text of a source file holds. */
export function checkText({ file, line = 0, from, to, ...found }: ClipText): SoundText | FaultyText {
  if (found.text === null) {
    const { text: _, ...fault } = found
    return { file, line, ...fault }
  }
  const parsed = parseClip(found.text)
  if (!parsed.ok) {
    const { ok: _, ...fault } = parsed
    return { file, line, ...fault, ...guessVideo(found.text) }
  }
  const { videoId, language } = parsed.value
  const clipId = clipIdOf(parsed.value)
  return { file, line, from, to, clipId, videoId, language, digest: sourceDigest(parsed.value) }
}

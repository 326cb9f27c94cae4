import type { ClipText } from '#corpus/clip-files.ts'
import { clipIdOf, guessVideo, parseClip } from '#corpus/source-clip.ts'
import { shortDigest } from '#kit/digest.ts'

/** A source clip that is valid by itself. */
export interface SoundText {
  file: string
  /** Counted from 1; 0 if the file is one clip. */
  line: number
  /** Where the spool holds the normalised content until it is published: a worker's bytes. */
  stored: { worker: number; from: number; to: number }
  clipId: string
  videoId: string
  language: string
  /** Of its normalised content: the layout of the file does not count. */
  digest: string
}

/** A source clip that must be rejected, whatever else the corpus holds. */
export interface FaultyText extends Pick<SoundText, 'file' | 'line'> {
  field?: string
  reason: string
  /** The video that it most likely describes. */
  videoId?: string
}

/** Checks a text of a source file. `store` is called with the content of a sound one. */
export function checkText(
  source: ClipText,
  store: (content: string) => SoundText['stored'],
): SoundText | FaultyText {
  const { file, line = 0, from: _from, to: _to, ...found } = source
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
  const content = JSON.stringify(parsed.value)
  const [clipId, digest] = [clipIdOf(parsed.value), shortDigest(content)]
  return { file, line, clipId, videoId, language, digest, stored: store(content) }
}

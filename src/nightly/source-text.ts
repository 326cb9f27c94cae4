import type { ClipText } from '#corpus/clip-files.ts'
import { clipIdOf, guessVideo, parseClip } from '#corpus/source-clip.ts'
import { shortDigest } from '#kit/digest.ts'

/** A source clip that is valid by itself. */
export interface SoundText {
  file: string
  /** Counted from 1; 0 if the file is one clip. */
  line: number
  /** The place of the normalised content in the spool until it is published. */
  storedSource: StoredSource
  clipId: string
  videoId: string
  language: string
  /** The digest of its normalised content, so that the layout of the file does not matter. */
  digest: string
}

/** The bytes of a source clip in the spool file of a worker. */
export interface StoredSource {
  worker: number
  from: number
  to: number
}

/** A source clip that must be rejected, whatever else the corpus contains. */
export interface FaultyText extends Pick<SoundText, 'file' | 'line'> {
  field?: string
  reason: string
  /** The video that it most likely describes. */
  videoId?: string
}

/** Checks a text of a source file. `store` is called with the content of a valid one. */
export function checkText(clip: ClipText, store: (content: string) => StoredSource): SoundText | FaultyText {
  const { file, line = 0, from: _from, to: _to, ...rest } = clip
  if (rest.text === null) {
    const { text: _, ...fault } = rest
    return { file, line, ...fault }
  }
  const result = parseClip(rest.text)
  if (!result.ok) {
    const { ok: _, ...fault } = result
    return { file, line, ...fault, ...guessVideo(rest.text) }
  }
  const { videoId, language } = result.value
  const content = JSON.stringify(result.value)
  const [clipId, digest] = [clipIdOf(result.value), shortDigest(content)]
  return { file, line, clipId, videoId, language, digest, storedSource: store(content) }
}

import { clipIdOf } from '#corpus/clip-id.ts'
import type { SourceClip } from '#corpus/source-clip.ts'
import type { ByteWriter } from '#kit/byte-writer.ts'
import type { CuesJson } from './cues-json.ts'

const beforeCues = Buffer.from(',"cues":')
const closeBrace = 125

/** Appends the transcript of a clip (`Transcript`). `cues` holds its cues. */
export function writeTranscript(out: ByteWriter, source: SourceClip, cues: CuesJson): void {
  const { videoId, language, durationS } = source
  const isMeasured = source.cues.every((cue) => cue.words && cue.words.length > 0)
  const wordTiming = isMeasured ? 'measured' : 'interpolated'
  const head = { clipId: clipIdOf(source), videoId, language, durationS, wordTiming }
  out.text(JSON.stringify(head).slice(0, -1))
  out.copy(beforeCues)
  cues.copyAll(out)
  out.byte(closeBrace)
}

import type { CueTally } from '../cue-tally.ts'
import { Rejection, Skip } from '../rejection.ts'
import { cleanCues, type OnStep } from './clean-cues.ts'
import { decodeText } from './decode-text.ts'
import { primaryLanguage } from '../languages.ts'
import type { Metadata } from '../video/metadata.ts'
import { isInOtherScript, readsMoreLike } from './other-language.ts'
import { parseText } from './parse-text.ts'

/** The cues of a subtitle file, its format and encoding, and the metadata of its video. */
export type ReadFile = ReturnType<typeof parseFile>

/** The cue of a player's preview pictures, or JSON for its page. */
const notSpeech = /^(?:\S+\.(?:jpe?g|png|webp|gif)(?:[?#]\S*)?|\{[^]*\})$/i

/**
 * Parses a subtitle file of any known format, which is detected from its content.
 *
 * @param tally counts dropped and repaired cues
 * @param givenEncoding the encoding that the user names; by default it is detected
 * @param onStep is called with the cues as read, and after each cleaning step
 * @throws {Rejection} the file has no text, no known format, or no speech
 * @throws {Skip} the file is not speech: metadata, chapters
 */
export function parseFile(
  bytes: Uint8Array,
  language: string,
  tally: CueTally,
  givenEncoding?: string,
  onStep?: OnStep,
) {
  const { text, encoding } = decodeText(bytes, language, tally, givenEncoding)
  const { format, track, metadata = {}, cues: rawCues } = parseText(text, language, tally)
  if (track !== undefined) throw new Skip(`is a ${track} track, not speech`)
  if (rawCues.length === 0) throw new Rejection('contains no cues')
  const texts = rawCues.flatMap((cue) => (typeof cue === 'string' ? [] : [cue.text]))
  if (texts.length > 0 && texts.every((text) => notSpeech.test(text.trim())))
    throw new Skip('is a track of pictures or data, not speech')
  if (isInOtherScript(texts, language)) {
    tally.cues.in = rawCues.length
    throw new Rejection(
      `is not in "${language}": hardly any of its letters are in the script of that language`,
    )
  }
  const cues = cleanCues(rawCues, language, tally, onStep)
  if (cues.length > 0)
    return { cues, format, encoding, metadata: withoutWrongLanguage(metadata, texts, language, tally) }
  const reasons = Object.entries(tally.cues.dropped).map(([reason, count]) => `${count} × ${reason}`)
  throw new Rejection(`has no usable cues: ${reasons.join(', ')}`)
}

/**
 * Removes the language from metadata if it is not that of the text. Recognisers write the language
 * that they were told, or that of the first seconds.
 */
function withoutWrongLanguage(
  metadata: Metadata,
  texts: readonly string[],
  language: string,
  tally: CueTally,
): Metadata {
  const { language: name, ...others } = metadata
  const fileLanguage = name === undefined ? undefined : primaryLanguage(name)
  if (fileLanguage === undefined || fileLanguage === language) return metadata
  if (!readsMoreLike(texts, language, fileLanguage)) return metadata
  tally.repair(`language "${name}" in the file is not that of its text: ignored`)
  return others
}

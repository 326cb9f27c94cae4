import type { SourceCue } from '../../source-clip.ts'
import { maxTextCharacters, textFault } from '../../text-bounds.ts'
import type { CueTally } from '../cue-tally.ts'
import { Rejection, Skip } from '../rejection.ts'
import { foldBlanks } from './clean-text.ts'
import type { FoundCue, RawCue } from './cue.ts'
import { decodeText } from './decode-text.ts'
import { blankNoise, findSpeakers, readingBlank } from './noise.ts'
import { mergeHighlights } from './merge-highlights.ts'
import { primaryLanguage } from '../languages.ts'
import type { Metadata } from '../video/metadata.ts'
import { isInOtherScript, leaveOutOtherLanguage, readsMoreLike } from './other-language.ts'
import { parseText } from './parse-text.ts'
import { repairTimes } from './repair-times.ts'
import { dropLayers, unroll } from './rolling-captions.ts'
import { timeWords } from './time-words.ts'

/** A subtitle file as cues of a clip, how it was read, and what it says about its video. */
export type ReadFile = ReturnType<typeof parseFile>

/**
 * The cues of a subtitle file of any known format, which is detected from its content.
 *
 * @param tally counts what is dropped and repaired
 * @param givenEncoding the encoding that the user names; else it is detected
 * @param onStep is called with the cues as read, and after each cleaning step
 * @throws {Rejection} no text, no known format, or nothing said in it
 * @throws {Skip} it is not speech: metadata, chapters
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
  if (track !== undefined) throw new Skip(`is a track of ${track}, not of speech`)
  if (rawCues.length === 0) throw new Rejection('holds no cue')
  const texts = rawCues.flatMap((cue) => (typeof cue === 'string' ? [] : [cue.text]))
  if (isInOtherScript(texts, language)) {
    tally.cues.in = rawCues.length
    throw new Rejection(`is not in "${language}": hardly any letter is in its script`)
  }
  const cues = prepareCues(rawCues, language, tally, onStep)
  if (cues.length > 0)
    return { cues, format, encoding, metadata: withoutWrongLanguage(metadata, texts, language, tally) }
  const reasons = Object.entries(tally.cues.dropped).map(([reason, count]) => `${count} × ${reason}`)
  throw new Rejection(`has no usable cue: ${reasons.join(', ')}`)
}

/** Receives the cues after each step. The name describes the step. */
type OnStep = (name: string, cues: readonly Pick<RawCue, 'tStart' | 'tEnd' | 'text'>[]) => void

/**
 * The metadata without a language that is not that of the text: recognisers write the language they
 * were told, or that of the first seconds.
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

/**
 * Turns what a parser found into cues of a clip: drops repetitions, lines in another language and
 * what is not said, repairs times, and times words. Every cue comes out or is in the tally with
 * its reason.
 */
export function prepareCues(
  rawCues: readonly FoundCue[],
  language: string,
  tally: CueTally,
  onStep: OnStep = () => {},
): SourceCue[] {
  tally.cues.in += rawCues.length
  onStep(
    'As read',
    rawCues.filter((cue) => typeof cue !== 'string'),
  )
  const usable = rawCues.filter((cue): cue is RawCue => {
    const reason = typeof cue === 'string' ? cue : faultOf(cue.text)
    if (reason !== null) tally.drop(reason)
    return reason === null
  })
  onStep('Drop cues without a readable text', usable)
  const layered = dropLayers(usable, tally)
  onStep('Drop cues that show the text of another one at the same time', layered)
  const merged = mergeHighlights(layered, tally)
  onStep('Merge cues that highlight one word each', merged)
  const unrolled = unroll(merged, tally)
  onStep('Drop what the cue before shows already', unrolled)
  const inLanguage = leaveOutOtherLanguage(unrolled, language, tally)
  onStep('Drop lines in another language', inLanguage)
  const speakers = findSpeakers(inLanguage.map((cue) => cue.text))
  const cuesWithSpeech = inLanguage.map((cue) => ({
    ...cue,
    speech: blankNoise(cue.text, speakers, language),
  }))
  const spokenCues = cuesWithSpeech.filter((cue) => /[\p{L}\p{N}]/u.test(cue.speech))
  tally.drop('not speech', cuesWithSpeech.length - spokenCues.length)
  onStep(
    'Remove sounds, speakers and readings',
    spokenCues.map((cue) => ({ ...cue, text: foldBlanks(cue.speech.replaceAll(readingBlank, '')) })),
  )
  const cues = repairTimes(spokenCues, tally).map((cue): SourceCue => {
    const words = timeWords(cue, language, tally)
    return {
      tStart: cue.tStart,
      tEnd: cue.tEnd,
      text: foldBlanks(cue.speech.replaceAll(readingBlank, '')),
      ...(words && { words }),
    }
  })
  onStep('Repair times', cues)
  tally.cues.out += cues.length
  return cues
}

function faultOf(text: string): string | null {
  if (text.trim() === '') return 'no text'
  if (text.length > maxTextCharacters) return 'longer than 10,000 characters'
  if (text.includes('\ufffd')) return 'damaged characters'
  return textFault(text) === null ? null : 'unprintable characters: dropped'
}

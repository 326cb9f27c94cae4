import type { SourceCue } from '#corpus/source-clip.ts'
import { maxTextCharacters, textFault } from '#corpus/text-bounds.ts'
import type { CueTally } from '../cue-tally.ts'
import { foldBlanks } from './clean-text.ts'
import type { RawCue } from './cue.ts'
import { blankNoise, findSpeakers } from './noise.ts'
import { leaveOutOtherLanguage } from './other-language.ts'
import { repairTimes, type TimedCue } from './repair-times.ts'
import { unroll } from './rolling-captions.ts'
import { timeWords } from './time-words.ts'

/** A cue, and its text with what is not said blanked, in the same length. */
type ShownCue = RawCue & { shown: string }

/**
 * Turns what a parser found into cues of a clip: drops repetitions, lines in another language and
 * what is not said, repairs times, and times words. Every cue comes out or is in the tally with
 * its reason.
 */
export function prepareCues(found: readonly RawCue[], language: string, tally: CueTally): SourceCue[] {
  tally.cuesIn += found.length
  const usable = found.filter((cue) => {
    const reason = cue.fault ?? faultOf(cue.text)
    if (reason !== null) tally.drop(reason)
    return reason === null
  })
  const said = leaveOutOtherLanguage(unroll(usable, tally), language, tally)
  const timed = repairTimes(dropNoise(said, tally), tally) as (TimedCue & ShownCue)[]
  const cues = timed.map(({ tStart, tEnd, text, shown, anchors }): SourceCue => {
    const words = anchors && timeWords({ tStart, tEnd, text, anchors }, shown, language, tally)
    return { tStart, tEnd, text: foldBlanks(shown), ...(words && { words }) }
  })
  tally.cuesOut += cues.length
  return cues
}

function faultOf(text: string): string | null {
  if (text.trim() === '') return 'no text'
  if (text.length > maxTextCharacters) return 'longer than 10,000 characters'
  return textFault(text) === null ? null : 'unprintable characters: dropped'
}

function dropNoise(cues: readonly RawCue[], tally: CueTally): ShownCue[] {
  const speakers = findSpeakers(cues.map((cue) => cue.text))
  return cues.flatMap((cue) => {
    const shown = blankNoise(cue.text, speakers)
    if (/[\p{L}\p{N}]/u.test(shown)) return [{ ...cue, shown }]
    tally.drop('not speech')
    return []
  })
}

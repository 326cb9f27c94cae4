import type { SourceCue } from '../../source-clip.ts'
import { maxTextCharacters, textFault } from '../../text-bounds.ts'
import type { CueTally } from '../cue-tally.ts'
import type { FoundCue, RawCue } from './cue.ts'
import { mergeHighlights } from './merge-highlights.ts'
import { leaveOutNoise } from './noise.ts'
import { leaveOutOtherLanguage } from './other-language.ts'
import { repairTimes } from './repair-times.ts'
import { dropLayers, unroll } from './rolling-captions.ts'
import { timeWords } from './time-words.ts'

/** A step that turns the cues of a file into those of a clip. It does not change its input. */
interface Step {
  /** The description of the step, as a sentence without a full stop. */
  name: string
  /** Returns the cues after the step. Counts dropped and repaired cues in `tally`. */
  apply(cues: readonly RawCue[], tally: CueTally, language: string): RawCue[]
}

/** Receives the cues after each step, and the step's name. */
export type OnStep = (name: string, cues: readonly Pick<RawCue, 'tStart' | 'tEnd' | 'text'>[]) => void

/** The steps in the order in which they are applied. Each relies on those above it. */
const steps: readonly Step[] = [
  { name: 'Drop cues without a readable text', apply: dropFaulty },
  { name: 'Drop cues that show the text of another one at the same time', apply: dropLayers },
  { name: 'Merge cues that highlight one word each', apply: mergeHighlights },
  { name: 'Drop what the cue before shows already', apply: unroll },
  { name: 'Drop lines in another language', apply: leaveOutOtherLanguage },
  { name: 'Remove sounds, speakers and readings', apply: leaveOutNoise },
  { name: 'Repair times', apply: repairTimes },
]

/**
 * Turns the cues of a parser into cues of a clip: drops repetitions, lines in another language and
 * what is not spoken, repairs times, and assigns times to words. Every cue is returned, or counted
 * in the tally with a reason.
 */
export function cleanCues(
  foundCues: readonly FoundCue[],
  language: string,
  tally: CueTally,
  onStep?: OnStep,
): SourceCue[] {
  tally.cues.in += foundCues.length
  for (const cue of foundCues) if (typeof cue === 'string') tally.drop(cue)
  let cues = foundCues.filter((cue) => typeof cue !== 'string')
  onStep?.(
    'As read',
    cues.map((cue) => ({ ...cue, text: cue.raw })),
  )
  onStep?.('Remove markup', cues)
  for (const { name, apply } of steps) {
    cues = apply(cues, tally, language)
    onStep?.(name, cues)
  }
  tally.cues.out += cues.length
  return cues.map((cue) => sourceCue(cue, language, tally))
}

function dropFaulty(cues: readonly RawCue[], tally: CueTally): RawCue[] {
  return cues.filter(({ text }) => {
    const reason = faultOf(text)
    if (reason !== null) tally.drop(reason)
    return reason === null
  })
}

function faultOf(text: string): string | null {
  if (text.trim() === '') return 'no text'
  if (text.length > maxTextCharacters) return 'longer than 10,000 characters'
  if (text.includes('\ufffd')) return 'damaged characters'
  return textFault(text) === null ? null : 'unprintable characters'
}

/** Returns a cue with complete times, and with its words if the source has times for them. */
function sourceCue({ tEnd, ...cue }: RawCue, language: string, tally: CueTally): SourceCue {
  const timedCue = { ...cue, tEnd: tEnd! }
  const words = timeWords(timedCue, language, tally)
  const { tStart, text } = cue
  return { tStart, tEnd: timedCue.tEnd, text, ...(words && { words }) }
}

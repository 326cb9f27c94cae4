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

/** A step from the cues of a file to those of a clip. It changes none of the cues that it takes. */
interface Step {
  /** What the step does, as a sentence without its end. */
  name: string
  /** Returns the cues after the step. Counts in `tally` those that it drops and repairs. */
  apply(cues: readonly RawCue[], tally: CueTally, language: string): RawCue[]
}

/** Receives the cues after each step, and its name. */
export type OnStep = (name: string, cues: readonly Pick<RawCue, 'tStart' | 'tEnd' | 'text'>[]) => void

/** The steps in the order in which they are applied: each relies on those above it. */
const steps: readonly Step[] = [
  { name: 'Drop cues without a readable text', apply: dropFaulty },
  { name: 'Drop cues that show the text of another one at the same time', apply: dropLayers },
  { name: 'Merge cues that highlight one word each', apply: mergeHighlights },
  { name: 'Drop what the cue before shows already', apply: unroll },
  {
    name: 'Drop lines in another language',
    apply: (cues, tally, language) => leaveOutOtherLanguage(cues, language, tally),
  },
  {
    name: 'Remove sounds, speakers and readings',
    apply: (cues, tally, language) => leaveOutNoise(cues, language, tally),
  },
  { name: 'Repair times', apply: repairTimes },
]

/**
 * Turns what a parser found into cues of a clip: drops repetitions, lines in another language and
 * what is not said, repairs times, and times words. Every cue comes out or is in the tally with
 * its reason.
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

/** A cue whose times are complete, with its words if the source times them. */
function sourceCue({ tEnd, ...cue }: RawCue, language: string, tally: CueTally): SourceCue {
  const timedCue = { ...cue, tEnd: tEnd! }
  const words = timeWords(timedCue, language, tally)
  const { tStart, text } = cue
  return { tStart, tEnd: timedCue.tEnd, text, ...(words && { words }) }
}

import { seededRandom } from '#kit/seeded-random.ts'
import { textHash } from '#kit/text-hash.ts'
import type { SampleClip, SampleLine } from '../sample-clip.ts'

/** Samples per second of the synthesiser. */
export const sampleRate = 22_050

/** The synthesiser's names of languages that differ from ours. */
const voiceNames: Readonly<Record<string, string>> = { zh: 'cmn' }
/** The synthesiser's male and female voices: each suffix changes the voice. */
const speakers = ['', '+f2', '+m3', '+f4', '+m7', '+f3']

/** The synthesiser's usual speed in words per minute, and its limits. */
const usualRate = 175
const slowestRate = 100
const fastestRate = 450
/** The maximum number of attempts to adjust the speed of a line so that it ends in time. */
const mostAttempts = 4
/** The pause between a line that had to be spoken faster and the next line. */
const pauseS = 0.05

type Synthesiser = Awaited<ReturnType<typeof loadSynthesiser>>

/**
 * Loads the synthesiser eSpeak NG, which runs in this thread.
 *
 * @throws {Error} the package of the synthesiser is not installed
 */
export async function loadSynthesiser() {
  const { default: load } = await import('@echogarden/espeak-ng-emscripten')
  const { eSpeakNGWorker: Worker } = await load()
  return new Worker()
}

/** Returns the audio of a clip: its lines at their times, with silence between them. */
export function speakClip(
  synthesiser: Synthesiser,
  { language, channelId, durationS, lines }: SampleClip,
): Float32Array {
  const random = seededRandom(textHash(channelId))
  const speaker = speakers[Math.floor(random() * speakers.length)]!
  synthesiser.set_voice((voiceNames[language] ?? language) + speaker)
  synthesiser.set_pitch(40 + Math.floor(random() * 20))
  const sound = new Float32Array(Math.round(durationS * sampleRate))
  for (const [index, line] of lines.entries()) {
    const limitS = Math.min(lines[index + 1]?.tStart ?? Infinity, durationS) - line.tStart - pauseS
    const samples = speakLine(synthesiser, line, limitS).subarray(0, Math.floor(limitS * sampleRate))
    const begin = Math.round(line.tStart * sampleRate)
    for (const [i, sample] of samples.entries()) sound[begin + i] = sample / 0x8000
  }
  return sound
}

/**
 * Speaks a line at the speed at which it takes the time that it has. Its audio should not be longer
 * than `limitS`.
 */
function speakLine(
  synthesiser: Synthesiser,
  { tStart, tEnd, text, speech = text }: SampleLine,
  limitS: number,
): Int16Array {
  const lineS = Math.min(tEnd - tStart, limitS)
  let rate = usualRate
  let samples = speak(synthesiser, speech, rate)
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const spokenS = samples.length / sampleRate
    const isFirst = attempt === 0
    if (!isFirst && (spokenS <= limitS || rate === fastestRate)) break
    rate = Math.min(Math.max(Math.ceil((rate * spokenS) / lineS), slowestRate), fastestRate)
    samples = speak(synthesiser, speech, rate)
  }
  return samples
}

function speak(synthesiser: Synthesiser, text: string, rate: number): Int16Array {
  const samples: number[] = []
  synthesiser.set_rate(rate)
  synthesiser.synthesize(text, (chunk) => {
    for (const sample of chunk) samples.push(sample)
    return false
  })
  return Int16Array.from(samples)
}

/** What the sample player plays: the lines of a clip, at their times in seconds. */
export interface SampleClip {
  title: string
  language: string
  durationS: number
  lines: { tStart: number; tEnd: number; text: string }[]
}

/**
 * Roughly how many characters a voice says in a second, where a character is a syllable or a
 * letter.
 */
const charactersAS: Record<string, number> = { ja: 7, zh: 4.5 }
const lettersAS = 15

/** A voice of this browser for a language, if it has one. */
export function voiceOf(language: string): SpeechSynthesisVoice | undefined {
  return speechSynthesis.getVoices().find(({ lang }) => lang.toLowerCase().split(/[-_]/)[0] === language)
}

/**
 * Reads what is left of a line at a second, about as fast as its times say; silent without a voice.
 */
export function readAloud(
  { tStart, tEnd, text }: SampleClip['lines'][number],
  { fromS, rate, language }: { fromS: number; rate: number; language: string },
): void {
  const voice = voiceOf(language)
  if (!voice) return
  const words = text.split(' ')
  const rest = words.slice(Math.floor(((fromS - tStart) / (tEnd - tStart)) * words.length)).join(' ')
  const utterance = new SpeechSynthesisUtterance(rest)
  utterance.voice = voice
  utterance.lang = voice.lang
  const naturalS = text.length / (charactersAS[language] ?? lettersAS)
  utterance.rate = Math.min(Math.max(naturalS / (tEnd - tStart), 0.6), 1.6) * rate
  speechSynthesis.cancel()
  speechSynthesis.speak(utterance)
}

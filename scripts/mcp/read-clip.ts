import type { ClipLookup } from '#client/clip-lookup.ts'
import { glossary } from '#client/helpers/glossary.ts'
import { KnownWords } from '#client/known/known-words.ts'
import type { FoundWord, Gloss, Transcript } from '#client/operations.ts'
import { clipIdIn } from './clip-id.ts'
import { clipText, minutes } from './clip-text.ts'

export interface ReadClipArguments {
  clip: string
  known?: string | undefined
  gloss?: Gloss | undefined
}

/** Shows the lines of a clip with their times, and the words that the learner does not know. */
export async function readClipText(client: ClipLookup, { clip: reference, known, gloss }: ReadClipArguments) {
  const clipId = clipIdIn(reference) ?? reference
  const [clip, transcript] = await Promise.all([client.getClip({ clipId }), client.getTranscript({ clipId })])
  const knownWords = known ? KnownWords.parse(known) : new KnownWords()
  const words = await glossary(client, transcript, { gloss })
  const unknownWords = [...words.values()].filter((word) => !knownWords.has(word))
  return [
    `${clipText(clip)} ${clip.watchUrl}`,
    transcriptText(transcript, gloss),
    unknownWords.length === 0 ? 'Every catalogue word is known.' : unknownText(unknownWords, known),
    'Next: make_flashcards for words to learn, find_clips for other clips with one of them.',
  ].join('\n')
}

/** Returns the lines of a transcript, each with its time and, in parentheses, its translation. */
export function transcriptText({ cues }: Transcript, gloss: Gloss = 'en'): string {
  const lines = cues.map(({ tStart, text, translations }) => {
    const translation = translations?.[gloss]
    return `${minutes(tStart)} ${text}${translation ? ` (${translation})` : ''}`.replace(/\s+/g, ' ')
  })
  return lines.join('\n')
}

function unknownText(words: readonly FoundWord[], known: string | undefined): string {
  const easiestFirst = words.toSorted((a, b) => (a.level < b.level ? -1 : a.level > b.level ? 1 : 0))
  const texts = easiestFirst.map(({ word, level, meaning }) => {
    return `${word} (${level})${meaning === '' ? '' : `: ${meaning}`}`
  })
  return `${known ? 'Unknown words' : 'Words'}: ${texts.join('; ')}`
}

import type { CallOptions } from '#client/call-options.ts'
import { glossary } from '#client/helpers/glossary.ts'
import { KnownWords } from '#client/known/known-words.ts'
import type { FoundWord, Gloss, Operations, Transcript } from '#client/operations.ts'
import { levelRank } from '#contract/levels.ts'
import type { Arguments } from './arguments.ts'
import { toClipId } from './clip-id.ts'
import { clipText, joinLines, lineText, withMeaning } from './clip-text.ts'
import { readLearner } from './learner.ts'

/**
 * Shows the lines of a clip with their times, and the words that the learner does not know. Without
 * `known`, these are the words above the level of the clip.
 */
export async function readClipText(
  client: Operations,
  { clip: reference, known: items, gloss }: Arguments<'read_clip'>,
  options: CallOptions,
): Promise<string> {
  const clipId = toClipId(reference)
  const [clip, transcript] = await Promise.all([
    client.getClip({ clipId }, options),
    client.getTranscript({ clipId }, options),
  ])
  const { language, level } = clip
  const { known, note } = items
    ? await readLearner(client, items, { language, ...options })
    : { known: new KnownWords({ level }), note: '' }
  const words = await glossary(client, transcript, { gloss, ...options })
  const label = items ? 'Unknown words' : `Words above ${level}`
  const unknownTexts = unknownWords(transcript, words, known)
  return joinLines(
    clipText(clip),
    transcriptText(transcript, gloss),
    `${label}: ${unknownTexts.join('; ') || 'none.'}`,
    note,
    'Next: make_flashcards for words to learn, find_clips for other clips with one of them.',
  )
}

/** Returns the lines of a transcript, each with its time and, in parentheses, its translation. */
export function transcriptText({ cues }: Transcript, gloss: Gloss = 'en'): string {
  return cues
    .map(({ tStart, text, translations }) => lineText(tStart, text, translations?.[gloss]))
    .join('\n')
}

/**
 * Describes the words that a learner does not know, easiest first. As in the API, a learner knows a
 * token if one of its words is known: "look after" need not be, to know "look" in it.
 */
function unknownWords({ cues }: Transcript, words: ReadonlyMap<number, FoundWord>, known: KnownWords) {
  const readings = new Map<FoundWord, string | undefined>()
  for (const { wordIds = [], reading } of cues.flatMap((cue) => cue.words)) {
    const tokenWords = wordIds.flatMap((id) => words.get(id) ?? [])
    if (tokenWords.some((word) => known.has(word))) continue
    for (const word of tokenWords) if (!readings.has(word)) readings.set(word, reading)
  }
  return [...readings]
    .sort(([a], [b]) => levelRank(a.level) - levelRank(b.level))
    .map(([{ word, level, meaning }, reading]) =>
      withMeaning(`${word}${reading ? ` [${reading}]` : ''} (${level})`, meaning),
    )
}

import type { CallOptions } from '#client/call-options.ts'
import { ClipLookupError } from '#client/error.ts'
import { flashcard, toAnki, toCsv, type Flashcard } from '#client/helpers/flashcard.ts'
import { highlight } from '#client/helpers/highlight.ts'
import type { ListWordClipsParameters, Operations } from '#client/operations.ts'
import type { Arguments } from './arguments.ts'
import { joinLines, withMeaning, withTranslation } from './clip-text.ts'
import { explainError } from './explain-error.ts'
import { learnerParameters } from './learner.ts'

/** The languages whose transcripts have readings. */
const languagesWithReadings = new Set(['ja', 'zh'])

/**
 * Makes a card for each word from the easiest clip that contains it. If some requests fail, for
 * example because the quota is used up, the text contains the cards whose look-ups succeeded.
 */
export async function makeFlashcardsText(
  client: Operations,
  { words, format, known, ...rest }: Arguments<'make_flashcards'>,
  options: CallOptions,
): Promise<string> {
  const { language } = rest
  const { parameters, note } = await learnerParameters(client, { known }, { language, ...options })
  const filters = { ...rest, ...parameters, limit: 1, context: true }
  const results = await Promise.allSettled(
    words.map((word) => makeCard(client, { ...filters, word }, options)),
  )
  const cards: Flashcard[] = []
  const missing: string[] = []
  const failedWords: string[] = []
  for (const [i, result] of results.entries()) {
    if (result.status === 'rejected') failedWords.push(words[i]!)
    else if (result.value === null) missing.push(words[i]!)
    else cards.push(result.value)
  }
  const failure = results.find((result) => result.status === 'rejected')
  if (failure && cards.length === 0) throw failure.reason
  return joinLines(
    write(cards, format).trimEnd(),
    missing.length > 0 &&
      `No card for: ${missing.join(', ')}. They are not catalogue words, or no clip contains them. find_clips also searches sentences.`,
    failure && `No card yet for: ${failedWords.join(', ')}. ${explainError(failure.reason)}`,
    note,
    cards.length > 0 && nextStep(format),
  )
}

function nextStep(format: Arguments<'make_flashcards'>['format'] = 'text'): string {
  if (format === 'text') return 'Next: for a file, call make_flashcards with format=anki or format=csv.'
  return `Next: save the lines above as a ${format === 'anki' ? '.txt' : '.csv'} file, and import it.`
}

async function makeCard(
  client: Operations,
  parameters: ListWordClipsParameters,
  options: CallOptions,
): Promise<Flashcard | null> {
  try {
    const { word, items } = await client.listWordClips(parameters, options)
    const [item] = items
    if (item === undefined) return null
    const { clip, occurrences } = item
    const hasReadings = languagesWithReadings.has(clip.language)
    const transcript = hasReadings ? await client.getTranscript({ clipId: clip.clipId }, options) : undefined
    return flashcard({ word, clip, occurrence: occurrences[0]!, transcript })
  } catch (error) {
    if (error instanceof ClipLookupError && error.is('not_found')) return null
    throw error
  }
}

function write(cards: readonly Flashcard[], format: Arguments<'make_flashcards'>['format']): string {
  if (cards.length === 0) return ''
  if (format === 'csv') return toCsv(cards)
  if (format === 'anki') return toAnki(cards)
  return cards.map(cardText).join('\n')
}

function cardText(card: Flashcard): string {
  const { before, match, after } = highlight(card.sentence, card.start, card.end)
  const reading = card.reading === null ? '' : ` [${card.reading}]`
  const front = withTranslation(`${before}**${match}**${after}`, card.translation)
  return `- ${withMeaning(`${card.word}${reading} (${card.level})`, card.meaning)}\n  ${front} ${card.link}`
}

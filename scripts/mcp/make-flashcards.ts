import type { ClipLookup } from '#client/clip-lookup.ts'
import { ClipLookupError } from '#client/error.ts'
import { flashcard, toAnki, toCsv, type Flashcard } from '#client/helpers/flashcard.ts'
import { highlight } from '#client/helpers/highlight.ts'
import type { Gloss, Level } from '#client/operations.ts'

export interface MakeFlashcardsArguments {
  words: string[]
  language?: string | undefined
  level?: Level[] | undefined
  gloss?: Gloss | undefined
  format?: 'text' | 'csv' | 'anki' | undefined
}

/** The languages whose transcripts have readings. */
const languagesWithReadings = new Set(['ja', 'zh'])

/** Makes a card for each word from the easiest clip that has it. */
export async function makeFlashcardsText(
  client: ClipLookup,
  { words, format, ...rest }: MakeFlashcardsArguments,
) {
  const cards: Flashcard[] = []
  const missing: string[] = []
  for (const word of words) {
    const card = await makeCard(client, word, rest)
    if (card === null) missing.push(word)
    else cards.push(card)
  }
  const note =
    missing.length > 0 &&
    `No card for: ${missing.join(', ')}. They are no catalogue words, or no clip has them. find_clips also searches sentences.`
  return [write(cards, format), note].filter(Boolean).join('\n')
}

async function makeCard(
  client: ClipLookup,
  word: string,
  filters: Omit<MakeFlashcardsArguments, 'words' | 'format'>,
): Promise<Flashcard | null> {
  try {
    const page = await client.listWordClips({ ...filters, word, limit: 1, context: true })
    const [item] = page.items
    if (item === undefined) return null
    const { clip, occurrences } = item
    const hasReadings = languagesWithReadings.has(clip.language)
    const transcript = hasReadings ? await client.getTranscript({ clipId: clip.clipId }) : undefined
    return flashcard({
      word: page.word,
      clip,
      occurrence: occurrences[0]!,
      ...(transcript && { transcript }),
    })
  } catch (error) {
    if (error instanceof ClipLookupError && error.is('not_found')) return null
    throw error
  }
}

function write(cards: readonly Flashcard[], format: MakeFlashcardsArguments['format']): string {
  if (cards.length === 0) return ''
  if (format === 'csv') return toCsv(cards)
  if (format === 'anki') return toAnki(cards)
  return cards.map(cardText).join('\n')
}

function cardText(card: Flashcard): string {
  const { before, match, after } = highlight(card.sentence, card.start, card.end)
  const reading = card.reading === null ? '' : ` [${card.reading}]`
  const translation = card.translation === null ? '' : ` (${card.translation})`
  const front = `${before}**${match}**${after}${translation}`.replace(/\s+/g, ' ')
  return `- ${card.word}${reading} (${card.level}): ${card.meaning}\n  ${front} ${card.link}`
}

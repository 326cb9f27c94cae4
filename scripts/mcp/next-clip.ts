import type { ClipLookup } from '#client/clip-lookup.ts'
import type { Gloss, Level } from '#client/operations.ts'
import { clipText, momentText } from './clip-text.ts'

export interface NextClipArguments {
  language?: string | undefined
  level?: Level | undefined
  known?: string | undefined
  gloss?: Gloss | undefined
  cursor?: string | undefined
}

/** The largest number of unknown words in a clip for a learner whose words are known. */
const unknownMax = 10

/** Shows the next clip of a shuffle for a learner, with the word to learn from it. */
export async function nextClipText(client: ClipLookup, { known, level, ...rest }: NextClipArguments) {
  const learner = known ? { known, maxUnknown: unknownMax } : { level }
  const page = await firstItem(client, { ...rest, ...learner, hasFocusWord: true })
  if (page === null)
    return 'No clip is left for this learner. Leave out cursor to begin again, or raise level.'
  const { clip, focusWord, unknownCount } = page.item
  const word = focusWord && `Learn: ${focusWord.word} (${focusWord.level}): ${focusWord.meaning}`
  const { text, start, end } = focusWord ?? {}
  const hasPlace = text !== undefined && start !== undefined && end !== undefined
  const moment = hasPlace && momentText(clip, { ...focusWord!, text, start, end })
  const unknown = unknownCount !== undefined && `Unknown words in the clip: ${unknownCount}.`
  const next = page.cursor === null ? 'it was the last clip' : `next_clip with cursor "${page.cursor}"`
  return [
    `- ${clipText(clip)} ${clip.watchUrl}`,
    word,
    moment,
    unknown,
    `Next: read_clip with its id, make_flashcards with the word, or ${next}.`,
  ]
    .filter(Boolean)
    .join('\n')
}

/** Pages can be empty although later ones are not. */
async function firstItem(client: ClipLookup, parameters: Parameters<ClipLookup['getFeed']>[0]) {
  for await (const { items, nextCursor } of client.pages('getFeed', {
    ...parameters,
    limit: 1,
    context: true,
  }))
    if (items[0]) return { item: items[0], cursor: nextCursor }
  return null
}

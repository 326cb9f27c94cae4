import type { ClipLookup } from '#client/clip-lookup.ts'
import { findClips } from '#client/helpers/find-clips.ts'
import type { Gloss, Level } from '#client/operations.ts'
import { clipIdIn, isVideoId } from './clip-id.ts'
import { clipText, momentText, wordText } from './clip-text.ts'

export interface FindClipsArguments {
  query: string
  language?: string | undefined
  level?: Level[] | undefined
  known?: string | undefined
  maxUnknown?: number | undefined
  gloss?: Gloss | undefined
  limit?: number | undefined
  exclude?: string[] | undefined
}

/** Finds clips by a word, a phrase, the address of a video or an id. */
export async function findClipsText(client: ClipLookup, { query, ...filters }: FindClipsArguments) {
  const id = clipIdIn(query)
  if (id !== null) return (await clipsWithId(client, id)) ?? `The service has no clip of "${query}".`
  const page = await findClips(client, query, { limit: 5, ...filters, context: true })
  const { word, items, nextCursor } = page
  if (items.length === 0) {
    const clip = word === null && isVideoId(query) ? await clipsWithId(client, query) : null
    return clip ?? nothingFound(query, word !== null, filters)
  }
  const head = word === null ? `"${query}" is said in:` : wordText(word)
  const clips = items.flatMap(({ clip, moments }) => [
    `- ${clipText(clip)}`,
    ...moments.slice(0, 2).map((moment) => `  ${momentText(clip, moment)}`),
  ])
  const more = nextCursor === null ? '' : ' For more clips, call find_clips with exclude set to these ids.'
  return [head, ...clips, `Next: read_clip shows a whole clip, make_flashcards makes cards.${more}`].join(
    '\n',
  )
}

async function clipsWithId(client: ClipLookup, id: string): Promise<string | null> {
  const { items } = await client.listClips({ ids: [id] })
  const [clip] = items
  return clip ? `- ${clipText(clip)} ${clip.watchUrl}\nNext: read_clip shows what is said in it.` : null
}

function nothingFound(query: string, isWord: boolean, filters: Omit<FindClipsArguments, 'query'>): string {
  const { language = 'en', level, known, exclude } = filters
  const hasFilter = level !== undefined || known !== undefined || exclude !== undefined
  if (hasFilter) return `No clip with "${query}" passes these filters. Leave out level, known or exclude.`
  if (isWord) return `"${query}" is in the catalogue (${language}), but no clip has it. Try a synonym.`
  return `No clip (${language}) has "${query}". Try another form, or look_up_words with by=meaning.`
}

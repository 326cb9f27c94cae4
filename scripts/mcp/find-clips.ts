import type { CallOptions } from '#client/call-options.ts'
import { findClips, type FoundClip } from '#client/helpers/find-clips.ts'
import type { Operations } from '#client/operations.ts'
import { countText } from '#kit/count-text.ts'
import type { Arguments } from './arguments.ts'
import { clipIdIn, isVideoId, toClipId } from './clip-id.ts'
import { clipText, joinLines, momentText, wordText } from './clip-text.ts'
import { learnerParameters } from './learner.ts'

/** The number of matches that are shown of a clip. */
const momentsMax = 2

/** Finds clips by a word, a phrase, the address of a video or an id. */
export async function findClipsText(
  client: Operations,
  { query, known, maxUnknown, exclude, ...filters }: Arguments<'find_clips'>,
  options: CallOptions,
): Promise<string> {
  const id = clipIdIn(query)
  if (id !== null) return (await clipWithId(client, id, options)) ?? `The service has no clip of "${query}".`
  const { language } = filters
  const context = { language, ...options }
  const { parameters, note } = await learnerParameters(client, { known, maxUnknown }, context)
  const learner = { ...parameters, exclude: exclude?.map(toClipId) }
  const page = await findClips(client, query, { limit: 5, ...filters, ...learner, context: true }, options)
  const { word, items, totalCount, nextCursor } = page
  if (items.length === 0) {
    const clip = word === null && isVideoId(query) ? await clipWithId(client, query, options) : null
    const hasFilter = [filters.level, known, exclude].some((filter) => filter !== undefined)
    return clip ?? joinLines(nothingFound(query, word !== null, language, hasFilter, nextCursor), note)
  }
  const count = totalCount === null ? '' : ` in ${countText(totalCount, 'clip')}`
  return joinLines(
    word === null ? `"${query}" is said${count}:` : wordText(word),
    ...items.map(itemText),
    note,
    'Next: read_clip with a link shows a whole clip, make_flashcards makes cards.',
    nextCursor !== null &&
      'For more clips, call find_clips with a higher limit, or with exclude set to these links.',
  )
}

function itemText({ clip, count, moments, unknownCount }: FoundClip): string {
  const { tStart } = moments[0]!.sentence ?? moments[0]!
  const facts = [
    count > momentsMax && `said ${count} times`,
    unknownCount !== undefined && countText(unknownCount, 'unknown word'),
  ].filter(Boolean)
  return joinLines(
    `- ${clipText(clip, tStart)}${facts.length > 0 ? `, ${facts.join(', ')}` : ''}`,
    ...moments.slice(0, momentsMax).map((moment) => `  ${momentText(moment)}`),
  )
}

async function clipWithId(client: Operations, id: string, options: CallOptions): Promise<string | null> {
  const { items } = await client.listClips({ ids: [id] }, options)
  const [clip] = items
  return clip ? `- ${clipText(clip)}\nNext: read_clip with this link shows what is said in it.` : null
}

function nothingFound(
  query: string,
  isWord: boolean,
  language = 'en',
  hasFilter: boolean,
  nextCursor: string | null,
): string {
  const place = nextCursor === null ? '' : ' among the first 10,000'
  if (hasFilter)
    return `No clip with "${query}"${place} passes these filters. Leave out level, known or exclude.`
  if (isWord) return `"${query}" is in the catalogue (${language}), but no clip has it. Try a synonym.`
  return `No clip (${language}) has "${query}". Try another form, or look_up_words with by=meaning.`
}

import type { CallOptions } from '#client/call-options.ts'
import type { FeedItem, FocusWord, GetFeedParameters, Operations } from '#client/operations.ts'
import { countText } from '#kit/count-text.ts'
import type { Arguments } from './arguments.ts'
import { toClipId } from './clip-id.ts'
import { clipText, joinLines, momentText, withMeaning } from './clip-text.ts'
import { learnerParameters } from './learner.ts'

/** The largest number of pages of a call. Each is a look-up, and examines up to 10,000 clips. */
const pagesMax = 3

/** The walks through the feeds of a session, so that no language model has to copy a cursor. */
export class NextClips {
  /** The cursors of the walks, keyed by language. */
  readonly #cursors = new Map<string, string>()
  #latestCall: Promise<unknown> = Promise.resolve()

  /** Shows the next clip for a learner, with the word to learn from it. */
  async text(
    client: Operations,
    { language = 'en', gloss, level, exclude, ...learner }: Arguments<'next_clip'>,
    options: CallOptions,
  ): Promise<string> {
    const { parameters, note } = await learnerParameters(client, learner, { language, ...options })
    const excludedIds = exclude?.map(toClipId)
    const filters = { language, gloss, clipLevel: level, exclude: excludedIds, ...parameters }
    // One call after another: two at once would show the same clip.
    const call = this.#latestCall.then(() => this.#take(client, { ...filters }, options))
    this.#latestCall = call.catch(() => {})
    const item = await call
    const isLast = !this.#cursors.has(language)
    return joinLines(item === null ? noClipText : itemText(item, isLast), note)
  }

  async #take(
    client: Operations,
    filters: GetFeedParameters & { language: string },
    options: CallOptions,
  ): Promise<FeedItem | null> {
    for (let page = 0; page < pagesMax; page++) {
      const cursor = this.#cursors.get(filters.language)
      const parameters = { ...filters, cursor, hasFocusWord: true, context: true, limit: 1 }
      const { items, nextCursor } = await client.getFeed(parameters, options)
      if (nextCursor === null) this.#cursors.delete(filters.language)
      else this.#cursors.set(filters.language, nextCursor)
      if (items[0] || nextCursor === null) return items[0] ?? null
    }
    return null
  }
}

const noClipText =
  'No clip is left for this learner. Call next_clip again for a new shuffle, or with a higher maxUnknown or other levels.'

function itemText({ clip, focusWord, knownShare, unknownCount }: FeedItem, isLast: boolean): string {
  const { word, level, meaning } = focusWord!
  return joinLines(
    `- ${clipText(clip)}`,
    `Learn: ${withMeaning(`${word} (${level})`, meaning)}`,
    focusMoment(focusWord!),
    unknownCount !== undefined &&
      `Of what is said, ${Math.round(knownShare! * 100)}% is known; ${countText(unknownCount, 'unknown word')}.`,
    'Next: read_clip with the link, make_flashcards with the word, or next_clip for another.',
    isLast && 'This was the last clip: next_clip begins a new shuffle.',
  )
}

function focusMoment({ text, start, end, tStart, sentence }: FocusWord): string | false {
  if (text === undefined || start === undefined || end === undefined) return false
  return momentText({ text, start, end, tStart, ...(sentence && { sentence }) })
}

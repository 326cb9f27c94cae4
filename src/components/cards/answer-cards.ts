import type { Clip, FeedClip } from '#contract/clip.ts'
import type { Corpus } from '#contract/corpus.ts'
import type { ErrorBody } from '#contract/errors.ts'
import type { FocusWord } from '#contract/feed.ts'
import type { Transcript } from '#contract/transcript.ts'
import type { Usage } from '#contract/usage.ts'
import type { Word } from '#contract/word.ts'
import { minutes } from '#client/player/lines.ts'
import { clipCard, type Moment } from './clip-card.ts'
import { element } from './dom.ts'

type Fields = Record<string, unknown>

/** An item of any list of clips: of the feed, of a word, of a search in sentences. */
interface ClipItem {
  clip: FeedClip
  focusWord?: FocusWord | null
  occurrences?: Moment[]
  occurrenceCount?: number
  matches?: Moment[]
  matchCount?: number
}

/**
 * Draws an answer as cards, by the fields it has: an operation that answers with known records
 * needs nothing here.
 */
export function answerCards(body: unknown): HTMLElement[] {
  const fields = (body ?? {}) as Fields
  const cards = drawers.flatMap(([field, draw]) => (field in fields ? draw(fields) : []))
  return cards.length > 0 ? cards : [factList(fields)]
}

/** What is drawn of a record that has a field, in the order it is drawn. */
const drawers: [field: string, draw: (fields: Fields) => HTMLElement[]][] = [
  ['error', (fields) => [errorCard(fields as unknown as ErrorBody)]],
  ['word', ({ word, ...rest }) => wordList([typeof word === 'string' ? { word, ...rest } : word] as Word[])],
  ['words', ({ words }) => (Array.isArray(words) ? wordList(words as Word[]) : [])],
  ['items', ({ items, word }) => clipList(items as (ClipItem | Clip)[], (word as Word | undefined)?.wordId)],
  ['missing', ({ missing }) => missingList(missing as string[])],
  ['title', (fields) => [clipList([fields as unknown as Clip])[0]!, factList(fields, clipFacts)]],
  ['cues', (fields) => [transcriptLines(fields as unknown as Transcript)]],
  ['glosses', (fields) => [corpusTiles(fields as unknown as Corpus)]],
  ['plan', (fields) => [usageBars(fields as unknown as Usage)]],
  ['from', (fields) => changeList(fields)],
  ['paths', ({ paths }) => [list(Object.keys(paths as Fields).map((path) => `GET ${path}`))]],
]
const clipFacts = ['wordCount', 'indexedAt']

function clipList(items: readonly (ClipItem | Clip)[], wordId?: number): HTMLElement[] {
  if (items.length === 0) return [element('p', { class: 'none' }, 'No clips on this page.')]
  const shown = items.map((item) => ('clip' in item ? item : { clip: item }))
  const cards = shown.map((item) =>
    clipCard({
      clip: item.clip,
      moments: momentsOf(item),
      note: noteOf(item),
      wordId: wordId ?? item.focusWord?.wordId,
    }),
  )
  return [element('ul', { class: 'clip-cards' }, ...cards)]
}

function momentsOf({ focusWord, occurrences = [], matches = [] }: ClipItem): Moment[] {
  const focus = focusWord ? [{ tStart: focusWord.tStart, tEnd: focusWord.tStart }] : []
  return [...focus, ...occurrences, ...matches]
}

function noteOf(item: ClipItem): HTMLElement | undefined {
  if ('focusWord' in item) return focusLine(item.clip, item.focusWord ?? null)
  const count = item.occurrenceCount ?? item.matchCount ?? 1
  return count > 1 ? element('p', { class: 'note' }, `${count} times in this clip`) : undefined
}

function focusLine(clip: FeedClip, focusWord: FocusWord | null): HTMLElement {
  if (focusWord === null)
    return element('p', { class: 'note' }, 'No focus word: this clip has no words at that level.')
  const { word, level, meaning } = focusWord
  const name = element('strong', { lang: clip.language }, word)
  return element('p', { class: 'focus' }, name, ` ${level} · ${meaning}`)
}

function wordList(words: readonly Word[]): HTMLElement[] {
  if (words.length === 0) return [element('p', { class: 'none' }, 'No words on this page.')]
  const lines = words.map((word) =>
    element(
      'li',
      {},
      element(
        'p',
        {},
        element('strong', {}, word.word),
        ' ',
        element('span', { class: 'level' }, word.level),
      ),
      element('p', {}, word.meaning),
      element('p', { class: 'note' }, `${word.clipCount} ${word.clipCount === 1 ? 'clip' : 'clips'}`),
      ...('forms' in word
        ? [element('p', { class: 'note' }, `Forms: ${(word.forms as string[]).join(', ')}`)]
        : []),
    ),
  )
  return [element('ul', { class: 'word-cards' }, ...lines)]
}

function transcriptLines({ cues, language, wordTiming }: Transcript): HTMLElement {
  const lines = cues.map(({ tStart, text }) =>
    element(
      'li',
      {},
      element('span', { class: 'note' }, minutes(tStart)),
      element('span', { lang: language }, text),
    ),
  )
  const note = element('p', { class: 'note' }, `Word timing: ${wordTiming}`)
  return element('div', { class: 'transcript' }, note, element('ol', {}, ...lines))
}

function corpusTiles({ clipCount, channelCount, totalDurationS, languages }: Corpus): HTMLElement {
  const languageLines = languages.map(
    ({ language, clipCount: clips, wordCount }) => [language, `${clips} clips, ${wordCount} words`] as const,
  )
  return facts([
    ['Clips', String(clipCount)],
    ['Channels', String(channelCount)],
    ['Length', `${Math.round(totalDurationS / 60)} minutes`],
    ...languageLines,
  ])
}

function usageBars({ plan, requests, limit, periodEnd, rateLimitPerMinute }: Usage): HTMLElement {
  return facts([
    ['Plan', plan],
    ['Look-ups in this period', limit === null ? String(requests) : `${requests} of ${limit}`],
    ['Period ends', new Date(periodEnd).toLocaleString([], { dateStyle: 'long', timeStyle: 'short' })],
    ['Requests per minute', String(rateLimitPerMinute)],
  ])
}

function changeList(fields: Fields): HTMLElement[] {
  const lines = ['clips', 'words'].flatMap((kind) =>
    Object.entries((fields[kind] ?? {}) as Record<string, unknown[]>).map(
      ([change, ids]) => [`${kind} ${change}`, String(ids.length)] as const,
    ),
  )
  return [facts([['From', String(fields.from)], ['To', String(fields.to)], ...lines])]
}

function missingList(missing: readonly string[]): HTMLElement[] {
  return missing.length === 0 ? [] : [element('p', { class: 'note' }, `Not found: ${missing.join(', ')}`)]
}

function errorCard({ error }: ErrorBody): HTMLElement {
  const { code, message, parameter, retryAfter } = error
  const card = element('div', { class: 'error-card' }, element('p', {}, element('strong', {}, code)))
  card.append(element('p', {}, message))
  if (parameter !== undefined) card.append(element('p', { class: 'note' }, `Parameter: ${parameter}`))
  if (retryAfter !== undefined)
    card.append(element('p', { class: 'note' }, `Wait ${retryAfter} seconds before you retry.`))
  card.append(element('p', {}, element('a', { href: `/guides/errors/#${code}` }, 'What to do')))
  return card
}

function factList(fields: Fields, names = Object.keys(fields)): HTMLElement {
  const scalars = names.filter((name) => fields[name] === null || typeof fields[name] !== 'object')
  return facts(scalars.map((name) => [name, String(fields[name])]))
}

function facts(lines: readonly (readonly [string, string])[]): HTMLElement {
  const parts = lines.map(([name, value]) =>
    element('div', {}, element('dt', {}, name), element('dd', {}, value)),
  )
  return element('dl', { class: 'fact-card' }, ...parts)
}

function list(lines: readonly string[]): HTMLElement {
  return element('ul', {}, ...lines.map((line) => element('li', {}, line)))
}

import { html, nothing } from 'lit-html'
import type { Clip } from '#contract/clip.ts'
import type { Corpus } from '#contract/corpus.ts'
import type { ErrorBody } from '#contract/errors.ts'
import type { FeedItem } from '#contract/feed.ts'
import type { SentenceClip } from '#contract/sentences.ts'
import type { Transcript } from '#contract/transcript.ts'
import type { Usage } from '#contract/usage.ts'
import type { WordClipPage } from '#contract/word-clips.ts'
import type { Word } from '#contract/word.ts'
import { minutes } from '#client/player/minutes.ts'
import { countText } from '#kit/count-text.ts'
import type { TextLanguages } from '../text-language.ts'
import { clipCard } from './clip-card.ts'

/** An item of any list of clips: of the feed, of a word, of a search in sentences. */
type ClipItem = Pick<FeedItem, 'clip'> & Partial<FeedItem & WordClipPage['items'][number] & SentenceClip>

/** Draws a response as cards, by its fields. Operations with known records need no code here. */
export function answerCards(body: object, languages: TextLanguages): unknown {
  const cards = drawers
    .map(([field, draw]) => field in body && draw(body as never, languages))
    .filter(Boolean)
  return cards.length > 0 ? cards : factsOf(body)
}

/** The functions that draw a record with a field, in the order of drawing. */
const drawers: [field: string, draw: (body: never, languages: TextLanguages) => unknown][] = [
  ['error', errorCard],
  [
    'word',
    (body: Word | { word: Word }, languages) =>
      wordList(typeof body.word === 'string' ? [body as Word] : [body.word], languages),
  ],
  [
    'words',
    ({ words }: { words: unknown }, languages) =>
      Array.isArray(words) && wordList(words as Word[], languages),
  ],
  ['items', clipList],
  [
    'missing',
    ({ missing }: { missing: string[] }) => missing.length > 0 && note(`Not found: ${missing.join(', ')}`),
  ],
  [
    'title',
    (clip: Clip, languages) => [
      clipList({ items: [{ clip }] }, languages),
      factsOf(clip, ['wordCount', 'indexedAt']),
    ],
  ],
  ['cues', transcriptLines],
  ['glosses', corpusFacts],
  ['plan', usageFacts],
  ['paths', ({ paths }: { paths: object }) => facts(Object.keys(paths).map((path) => ['GET', path]))],
]

function clipList({ items, word }: { items: (ClipItem | Clip)[]; word?: Word }, { gloss }: TextLanguages) {
  if (items.length === 0) return html`<p class="none">No clips on this page.</p>`
  const cards = items.map((item) => {
    const clipItem: ClipItem = 'clip' in item ? item : { clip: item }
    const { clip, focusWord, occurrences = [], matches = [] } = clipItem
    const focus = focusWord ? [{ tStart: focusWord.tStart }] : []
    const moments = [...focus, ...occurrences, ...matches]
    return clipCard(clip, moments, noteOf(clipItem, gloss), word?.wordId ?? focusWord?.wordId)
  })
  return html`<ul class="clip-cards">
    ${cards}
  </ul>`
}

function noteOf({ clip, focusWord, occurrenceCount, matchCount }: ClipItem, gloss: string) {
  if (focusWord === null) return note('No focus word: this clip has no words at that level.')
  if (focusWord !== undefined) {
    const { word, level, meaning } = focusWord
    return html`<p class="focus">
      <strong lang=${clip.language}>${word}</strong> ${level} · <span lang=${gloss}>${meaning}</span>
    </p>`
  }
  const count = occurrenceCount ?? matchCount ?? 1
  return count > 1 ? note(`${count} times in this clip`) : nothing
}

function wordList(words: readonly (Word & { forms?: string[] })[], { language, gloss }: TextLanguages) {
  if (words.length === 0) return html`<p class="none">No words on this page.</p>`
  return html`<ul class="word-cards">
    ${words.map(
      ({ word, level, meaning, clipCount, forms }) =>
        html`<li>
          <p><strong lang=${language}>${word}</strong> <span class="level">${level}</span></p>
          <p lang=${gloss}>${meaning}</p>
          ${note(countText(clipCount, 'clip'))}
          ${forms && html`<p class="note">Forms: <span lang=${language}>${forms.join(', ')}</span></p>`}
        </li>`,
    )}
  </ul>`
}

function transcriptLines({ cues, language, wordTiming }: Transcript) {
  return html`<div class="transcript">
    ${note(`Word timing: ${wordTiming}`)}
    <ol>
      ${cues.map(
        ({ tStart, text }) =>
          html`<li><span class="note">${minutes(tStart)}</span><span lang=${language}>${text}</span></li>`,
      )}
    </ol>
  </div>`
}

function corpusFacts({ clipCount, channelCount, totalDurationS, languages }: Corpus) {
  return facts([
    ['Clips', clipCount],
    ['Channels', channelCount],
    ['Length', `${Math.round(totalDurationS / 60)} minutes`],
    ...languages.map(
      (each) =>
        [
          each.language,
          `${countText(each.clipCount, 'clip')}, ${countText(each.wordCount, 'word')}`,
        ] as const,
    ),
  ])
}

function usageFacts({ plan, requests, limit, periodEnd, rateLimitPerMinute }: Usage) {
  return facts([
    ['Plan', plan],
    ['Look-ups in this period', limit === null ? requests : `${requests} of ${limit}`],
    ['Period ends', new Date(periodEnd).toLocaleString([], { dateStyle: 'long', timeStyle: 'short' })],
    ['Requests per minute', rateLimitPerMinute],
  ])
}

function errorCard({ error: { code, message, parameter, retryAfter } }: ErrorBody) {
  return html`<div class="error-card">
    <p><strong>${code}</strong></p>
    <p>${message}</p>
    ${parameter && note(`Parameter: ${parameter}`)}
    ${retryAfter && note(`Wait ${retryAfter} seconds before you retry.`)}
    <p><a href="/guides/errors/#${code}">What to do</a></p>
  </div>`
}

function note(text: string) {
  return html`<p class="note">${text}</p>`
}

/** Returns the values of a record by name, with the lengths of its lists. */
function factsOf(record: object, names = Object.keys(record)) {
  const lineOf = (name: string, value: unknown): [string, string][] => {
    if (Array.isArray(value)) return [[name, String(value.length)]]
    if (value === null || typeof value !== 'object') return [[name, String(value)]]
    return Object.entries(value).flatMap(([inner, each]) => lineOf(`${name} ${inner}`, each))
  }
  return facts(names.flatMap((name) => lineOf(name, record[name as keyof typeof record])))
}

function facts(lines: readonly (readonly [name: string, value: string | number])[]) {
  return html`<dl class="fact-card">
    ${lines.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`
}

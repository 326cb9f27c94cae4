import type { FeedClip } from '#contract/clip.ts'
import { minutes } from '#client/player/lines.ts'
import { element } from './dom.ts'
import { highlighted } from './highlight.ts'
import { clipPlayer } from './player.ts'

/** A moment of a clip: when something is said and, where that is known, the sentence it is in. */
export interface Moment {
  tStart: number
  /** Where the moment is a point in time, the same as `tStart`. */
  tEnd: number
  text?: string
  /** What is said is at these characters of the text. */
  start?: number
  end?: number
}

/** A clip as cards show it; `note` says more below the moments. */
export interface ShownClip {
  clip: FeedClip
  moments: readonly Moment[]
  /** The word to underline in its lines. */
  wordId?: number | undefined
  note?: HTMLElement | undefined
}

/** A clip with a player that starts at its first moment, and its moments on a bar of its length. */
export function clipCard({ clip, moments, note, wordId }: ShownClip): HTMLElement {
  return element(
    'li',
    { class: 'clip-card' },
    clipPlayer(clip, { startS: moments[0]?.tStart, wordId }),
    element(
      'div',
      { class: 'about' },
      element('h3', { lang: clip.language }, clip.title),
      ...moments.slice(0, 1).flatMap((moment) => sentenceLine(clip, moment)),
      ...(note ? [note] : []),
      ...(moments.length > 0 ? [timeline(clip, moments)] : []),
    ),
  )
}

function sentenceLine({ language }: FeedClip, { text, start = 0, end = 0 }: Moment): HTMLElement[] {
  if (text === undefined) return []
  return [element('p', { class: 'sentence', lang: language }, ...highlighted(text, start, end))]
}

/** The bar of the clip's length, with a mark at each moment that opens the video there. */
function timeline(clip: FeedClip, moments: readonly Moment[]): HTMLElement {
  const marks = moments.map(({ tStart, tEnd }) => {
    const mark = element('span', {})
    mark.style.insetInlineStart = `${(tStart / clip.durationS) * 100}%`
    mark.style.inlineSize = `${((tEnd - tStart) / clip.durationS) * 100}%`
    return mark
  })
  const [first] = moments
  const at = element(
    'a',
    { href: momentUrl(clip, first!.tStart), rel: 'noreferrer', target: '_blank' },
    minutes(first!.tStart),
  )
  return element(
    'div',
    { class: 'timeline' },
    element('div', { class: 'bar', 'aria-hidden': 'true' }, ...marks),
    element('p', {}, 'at ', at, ` of ${minutes(clip.durationS)}`),
  )
}

function momentUrl(clip: FeedClip, seconds: number): string {
  const url = new URL(clip.watchUrl)
  url.searchParams.set('t', `${Math.floor(seconds)}s`)
  return url.href
}

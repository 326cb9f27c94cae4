import type { FeedClip } from '#contract/clip.ts'
import { element } from './dom.ts'
import type { Marked } from './highlight.ts'

/**
 * A moment of a clip: when something is said, and the sentence with it highlighted where that is
 * known.
 */
export interface Moment {
  tStart: number
  /** Where the moment is a point in time, the same as `tStart`. */
  tEnd: number
  sentence: Marked | null
}

/** A clip as cards show it; `note` says more below the moments. */
export interface ShownClip {
  clip: FeedClip
  moments: readonly Moment[]
  note?: HTMLElement | undefined
}

/**
 * A clip with its attribution and its moments on a bar of its length. The player loads on a click,
 * not before.
 */
export function clipCard({ clip, moments, note }: ShownClip): HTMLElement {
  const startS = Math.floor(moments[0]?.tStart ?? 0)
  const attribution = element(
    'p',
    { class: 'attribution' },
    element('span', { class: 'level' }, clip.level),
    ` ${clip.channel.name} · `,
    element('a', { href: clip.watchUrl, rel: 'noreferrer', target: '_blank' }, 'watch at the source'),
  )
  return element(
    'li',
    { class: 'clip-card' },
    screen(clip, startS),
    element(
      'div',
      { class: 'about' },
      element('h3', { lang: clip.language }, clip.title),
      attribution,
      ...moments.slice(0, 1).flatMap(({ sentence }) => sentenceLine(clip, sentence)),
      ...(note ? [note] : []),
      ...(moments.length > 0 ? [timeline(clip, moments)] : []),
    ),
  )
}

function sentenceLine(clip: FeedClip, sentence: Marked | null): HTMLElement[] {
  if (sentence === null) return []
  const [before, marked, after] = sentence
  return [
    element('p', { class: 'sentence', lang: clip.language }, before, element('mark', {}, marked), after),
  ]
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

function screen(clip: FeedClip, startS: number): HTMLElement {
  const made = element('div', { class: 'screen' })
  const load = () => made.replaceChildren(player(clip, startS))
  made.append(
    element(
      'button',
      { type: 'button', class: 'load', onclick: load, 'aria-label': `Load the player of “${clip.title}”` },
      element('span', { 'aria-hidden': 'true' }, '▶'),
    ),
    element('span', { class: 'length' }, minutes(clip.durationS)),
  )
  return made
}

function player(clip: FeedClip, startS: number): HTMLIFrameElement {
  const url = new URL(clip.embedUrl)
  if (startS > 0) url.searchParams.set('start', String(startS))
  return element('iframe', {
    src: url.href,
    title: clip.title,
    allow: 'fullscreen; encrypted-media; picture-in-picture',
    referrerpolicy: 'strict-origin-when-cross-origin',
  })
}

function momentUrl(clip: FeedClip, seconds: number): string {
  const url = new URL(clip.watchUrl)
  url.searchParams.set('t', `${Math.floor(seconds)}s`)
  return url.href
}

/** Seconds as players show them: 75 → 1:15. */
export function minutes(seconds: number): string {
  const whole = Math.floor(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

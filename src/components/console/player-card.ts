import { element } from '../cards/dom.ts'

interface Clip {
  title: string
  level: string
  language: string
  durationS: number
  channel: { name: string }
  embedUrl: string
  watchUrl: string
}

interface FocusWord {
  word: string
  level: string
  meaning: string
  tStart: number
}

export interface FeedItem {
  clip: Clip
  focusWord: FocusWord | null
}

/** A clip as a player shows it: attribution, the focus word, and a link to the moment. The embed loads on a click, not before. */
export function playerCard({ clip, focusWord }: FeedItem): HTMLElement {
  const startS = Math.floor(focusWord?.tStart ?? 0)
  const screen = element('div', { class: 'screen' })
  const load = () => screen.replaceChildren(player(clip, startS))
  screen.append(
    element(
      'button',
      { type: 'button', class: 'load', onclick: load, 'aria-label': `Load the player of “${clip.title}”` },
      element('span', { 'aria-hidden': 'true' }, '▶'),
    ),
    element(
      'span',
      { class: 'length' },
      `${Math.floor(clip.durationS / 60)}:${String(clip.durationS % 60).padStart(2, '0')}`,
    ),
  )
  return element(
    'li',
    { class: 'player-card' },
    screen,
    element(
      'div',
      { class: 'told' },
      element('h4', { lang: clip.language }, clip.title),
      element(
        'p',
        { class: 'attribution' },
        element('span', { class: 'level' }, clip.level),
        ` ${clip.channel.name} · `,
        element('a', { href: clip.watchUrl, rel: 'noreferrer', target: '_blank' }, 'watch at the source'),
      ),
      focusWord
        ? focusLine(clip, focusWord, startS)
        : element('p', { class: 'focus none' }, 'No word in the band.'),
    ),
  )
}

function focusLine(clip: Clip, { word, level, meaning, tStart }: FocusWord, startS: number): HTMLElement {
  const moment = new URL(clip.watchUrl)
  moment.searchParams.set('t', `${startS}s`)
  return element(
    'p',
    { class: 'focus' },
    element('strong', { lang: clip.language }, word),
    ` (${level}) — ${meaning} `,
    element('a', { href: moment.href, rel: 'noreferrer', target: '_blank' }, `at ${tStart} s`),
  )
}

function player(clip: Clip, startS: number): HTMLIFrameElement {
  const url = new URL(clip.embedUrl)
  if (startS > 0) url.searchParams.set('start', String(startS))
  return element('iframe', {
    src: url.href,
    title: clip.title,
    allow: 'fullscreen; encrypted-media; picture-in-picture',
    referrerpolicy: 'strict-origin-when-cross-origin',
  })
}

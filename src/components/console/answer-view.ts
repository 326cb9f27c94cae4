import { element } from '../cards/dom.ts'
import { playerCard, type FeedItem } from './player-card.ts'

/** An answer, live or recorded. */
export interface Shown {
  status: number
  headers: Record<string, string>
  body: unknown
  /** Said above it: where it comes from. */
  note: string
}

/** The answer: status, minute window, headers and body; a feed as cards too. `onNext` is called with the cursor of the next page. */
export function answerView(
  { status, headers, body, note }: Shown,
  onNext: (cursor: string) => void,
): HTMLElement[] {
  const kind = status < 300 ? 'good' : status < 500 ? 'refused' : 'failed'
  const parts: HTMLElement[] = [
    element(
      'p',
      { class: 'status-line' },
      element('strong', { class: `status ${kind}` }, String(status)),
      element('span', {}, ` ${note}`),
    ),
  ]
  const meter = windowMeter(headers)
  if (meter) parts.push(meter)
  const items = feedItems(body)
  if (items) parts.push(walk(items, nextCursorOf(body), onNext))
  parts.push(headerList(headers), bodyText(body))
  return parts
}

function windowMeter(headers: Record<string, string>): HTMLElement | null {
  const limit = Number(headers['x-ratelimit-limit'])
  const remaining = Number(headers['x-ratelimit-remaining'])
  if (!limit) return null
  const bar = element('meter', {
    min: '0',
    max: String(limit),
    value: String(remaining),
    'aria-label': 'Left of the minute window',
  })
  const reset = new Date(Number(headers['x-ratelimit-reset']) * 1000)
  const at = reset.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit' })
  return element(
    'p',
    { class: 'window' },
    bar,
    ` ${remaining} of ${limit} requests left in this minute; it ends at ${at}`,
  )
}

function feedItems(body: unknown): FeedItem[] | null {
  const { seed, items } = (body ?? {}) as { seed?: unknown; items?: FeedItem[] }
  return typeof seed === 'string' && Array.isArray(items) ? items : null
}

function nextCursorOf(body: unknown): string | null {
  return (body as { nextCursor: string | null }).nextCursor
}

function walk(items: FeedItem[], cursor: string | null, onNext: (cursor: string) => void): HTMLElement {
  const next =
    cursor === null
      ? 'That was the last page.'
      : element('button', { type: 'button', class: 'next', onclick: () => onNext(cursor) }, 'Next page')
  return element(
    'section',
    { class: 'walk', 'aria-label': 'Clips of this page' },
    element('ul', {}, ...items.map(playerCard)),
    element('p', {}, next),
  )
}

function headerList(headers: Record<string, string>): HTMLElement {
  const lines = Object.entries(headers).flatMap(([name, value]) => [
    element('dt', {}, name),
    element('dd', {}, value),
  ])
  return element(
    'details',
    { class: 'headers', open: true },
    element('summary', {}, 'Headers'),
    element('dl', {}, ...lines),
  )
}

/** A long body is cut: a browser would be busy with a megabyte of it. */
const longestBody = 60_000

function bodyText(body: unknown): HTMLElement {
  const text = JSON.stringify(body, null, 2)
  const cut =
    text.length > longestBody
      ? `${text.slice(0, longestBody)}\n… and ${text.length - longestBody} more characters`
      : text
  return element('pre', { class: 'body', tabindex: '0', 'aria-label': 'Body' }, cut)
}

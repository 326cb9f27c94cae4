import { answerCards } from '../cards/answer-cards.ts'
import { element } from '../cards/dom.ts'
import { copyButton } from './copy-button.ts'
import type { ConsoleAnswer } from './console-data.ts'
import { jsonView } from './json-view.ts'
import { liveSource } from './send.ts'

/**
 * The answer: cards with the JSON beside them, the next page where there is one, and the headers.
 */
export function answerView(
  { headers, body }: ConsoleAnswer,
  onNextPage: (cursor: string) => void,
): HTMLElement[] {
  const cards = element('div', { class: 'cards' }, ...answerCards(body))
  const cursor = (body as { nextCursor?: string | null } | null)?.nextCursor
  if (typeof cursor === 'string') {
    const onclick = () => onNextPage(cursor)
    cards.append(element('p', {}, element('button', { type: 'button', class: 'next', onclick }, 'Next page')))
  } else if (cursor === null) cards.append(element('p', { class: 'note' }, 'This is the last page.'))
  const json = element(
    'div',
    {},
    element(
      'p',
      { class: 'languages' },
      copyButton('Copy the response', () => JSON.stringify(body, null, 2)),
    ),
    jsonView(body),
  )
  return [element('div', { class: 'beside' }, cards, json), headerList(headers)]
}

/** The line in the bar: the status, where the answer comes from, and the window. */
export function statusLine({ status, headers, source }: ConsoleAnswer): (Node | string)[] {
  const kind = status === 0 ? 'failed' : status < 300 ? 'good' : status < 500 ? 'refused' : 'failed'
  const label = status === 0 ? 'No response' : String(status)
  const limit = headers['x-ratelimit-limit']
  const isRecorded = source !== liveSource
  const window =
    isRecorded || limit === undefined
      ? ''
      : ` · ${headers['x-ratelimit-remaining']} of ${limit} left this minute`
  return [element('strong', { class: `status ${kind}` }, label), ` ${source}${window}`]
}

function headerList(headers: Record<string, string>): HTMLElement {
  const lines = Object.entries(headers).flatMap(([name, value]) => [
    element('dt', {}, name),
    element('dd', {}, value),
  ])
  return element(
    'details',
    { class: 'headers' },
    element('summary', {}, 'Headers'),
    element('dl', {}, ...lines),
  )
}

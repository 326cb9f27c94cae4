import type { Usage } from '#contract/usage.ts'
import { byId, element } from '../cards/dom.ts'
import { keepSessionKey, sessionKey } from '../session-key.ts'

const form = byId<HTMLFormElement>('usage-form')
const keyInput = byId<HTMLInputElement>('usage-key')
const answer = byId('usage-answer')

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void show()
})
keyInput.value = sessionKey()
if (keyInput.value !== '') void show()
byId('usage').dataset.ready = 'true'

async function show(): Promise<void> {
  keepSessionKey(keyInput.value.trim())
  try {
    const headers = { Authorization: `Bearer ${keyInput.value.trim()}` }
    const response = await fetch('/v1/usage', { headers, cache: 'no-store' })
    const body = await response.json()
    answer.replaceChildren(
      ...(response.ok ? drawn(body as Usage, response.headers) : [refusal(response.status, body)]),
    )
  } catch (error) {
    answer.replaceChildren(
      element('p', { class: 'fault' }, `The request failed: ${(error as Error).message}`),
    )
  }
}

function refusal(status: number, { error }: { error: { code: string; message: string } }): HTMLElement {
  return element('p', { class: 'fault' }, `${status} ${error.code}: ${error.message}.`)
}

function drawn(usage: Usage, headers: Headers): HTMLElement[] {
  const { plan, requests, limit, periodStart, periodEnd, rateLimitPerMinute } = usage
  const remaining = Number(headers.get('x-ratelimit-remaining') ?? rateLimitPerMinute)
  const reset = new Date(Number(headers.get('x-ratelimit-reset')) * 1000)
  return [
    element('p', { class: 'plan' }, 'Plan ', element('strong', {}, plan)),
    element('h3', {}, 'This period'),
    ...(limit === null ? [] : [bar('Look-ups used', requests, limit)]),
    element(
      'p',
      {},
      limit === null
        ? `${requests} look-ups. Your plan has no quota.`
        : `${requests} of ${limit} look-ups used, ${Math.max(0, limit - requests)} left.`,
    ),
    element(
      'p',
      {},
      `The period began on ${day(periodStart)}. It ends on ${day(periodEnd)}, when the count returns to 0.`,
    ),
    element('h3', {}, 'This minute'),
    bar('Requests used in this minute', rateLimitPerMinute - remaining, rateLimitPerMinute),
    element(
      'p',
      {},
      `${remaining} of ${rateLimitPerMinute} requests left. The minute ends at ${reset.toLocaleTimeString()}.`,
    ),
  ]
}

function bar(label: string, value: number, max: number): HTMLElement {
  const share = max === 0 ? 100 : Math.min(100, (value / max) * 100)
  const fill = element('span', { class: share >= 90 ? 'fill nearly' : 'fill' })
  fill.style.inlineSize = `${share}%`
  return element(
    'div',
    {
      class: 'spend',
      role: 'progressbar',
      'aria-label': label,
      'aria-valuemin': '0',
      'aria-valuemax': String(max),
      'aria-valuenow': String(value),
    },
    fill,
  )
}

function day(date: string): string {
  return new Date(date).toLocaleString([], { dateStyle: 'long', timeStyle: 'short' })
}

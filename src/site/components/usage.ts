import { html, nothing } from 'lit-html'
import type { Usage } from '#contract/usage.ts'
import { byId, showIn } from './elements.ts'
import { keepSessionKey, send, sessionKey } from './service.ts'

const keyInput = byId<HTMLInputElement>('usage-key')

byId('usage-form').addEventListener('submit', (event) => {
  event.preventDefault()
  void show()
})
keyInput.value = sessionKey()
if (keyInput.value !== '') void show()
byId('usage').dataset.ready = 'true'

async function show(): Promise<void> {
  keepSessionKey(keyInput.value.trim())
  try {
    const { status, headers, body } = await send<Usage>(['getUsage', {}], { cache: 'no-store' })
    if ('error' in body) sayFault(`${status} ${body.error.code}: ${body.error.message}.`)
    else draw(body, headers)
  } catch (error) {
    sayFault(`The request failed: ${(error as Error).message}`)
  }
}

function sayFault(text: string): void {
  showIn('usage-answer', html`<p class="fault">${text}</p>`)
}

function draw(usage: Usage, headers: Record<string, string>): void {
  const { plan, requests, limit, periodStart, periodEnd, rateLimitPerMinute } = usage
  const remaining = Number(headers['x-ratelimit-remaining'] ?? rateLimitPerMinute)
  const reset = new Date(Number(headers['x-ratelimit-reset']) * 1000)
  const day = (date: string) => new Date(date).toLocaleString([], { dateStyle: 'long', timeStyle: 'short' })
  const quota =
    limit === null
      ? `${requests} look-ups. Your plan has no quota.`
      : `${requests} of ${limit} look-ups used, ${Math.max(0, limit - requests)} left.`
  showIn(
    'usage-answer',
    html`<div>
      <p class="plan">Plan <strong>${plan}</strong></p>
      <h3>This period</h3>
      ${limit === null ? nothing : bar('Look-ups used', requests, limit)}
      <p>${quota}</p>
      <p>
        The period began on ${day(periodStart)}. It ends on ${day(periodEnd)}, when the count returns to 0.
      </p>
      <h3>This minute</h3>
      ${bar('Requests used in this minute', rateLimitPerMinute - remaining, rateLimitPerMinute)}
      <p>
        ${remaining} of ${rateLimitPerMinute} requests left. The minute ends at ${reset.toLocaleTimeString()}.
      </p>
    </div>`,
  )
}

function bar(label: string, value: number, max: number) {
  const kind = value >= 0.9 * max ? 'nearly' : ''
  return html`<progress class="spend ${kind}" aria-label=${label} value=${value} max=${max}></progress>`
}

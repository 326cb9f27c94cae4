import { expect, test } from 'vitest'
import { StoreUnavailable } from '#metering/store.ts'
import { FaultLog } from '#proxy/http/fault-log.ts'
import { SiteUnreachable } from '#proxy/http/refusals.ts'

const request = { requestId: 'r', method: 'GET', operation: null }

function healthWithLog() {
  const lines: string[] = []
  const health = new FaultLog({
    info: (message) => void lines.push(message),
    error: (context) => void lines.push((context as { err: Error }).err.message),
  })
  return { health, lines }
}

test('reports each reason of an outage once, and again in the next outage', () => {
  const { health, lines } = healthWithLog()
  for (const reason of ['refused', 'refused', 'lost', 'refused', 'lost'])
    health.requestFailed(new StoreUnavailable(reason), request)
  health.storeAnswered()
  health.storeAnswered()
  health.requestFailed(new StoreUnavailable('refused'), request)
  expect(lines).toEqual([
    'refused',
    'lost',
    'the store is back; 5 requests were refused in the meantime',
    'refused',
  ])
})

test('reports an outage with endless different reasons ten times', () => {
  const { health, lines } = healthWithLog()
  for (let i = 0; i < 100; i++) health.requestFailed(new StoreUnavailable(`reason ${i}`), request)
  expect(lines).toHaveLength(10)
})

test('does not report each request for a site that is down', () => {
  const lines: string[] = []
  const log = new FaultLog({ info: () => {}, error: (_, message) => void lines.push(message) })
  for (let i = 0; i < 100; i++) log.requestFailed(new SiteUnreachable(new Error('refused')), request)
  expect(lines).toEqual(['the site cannot be reached: refused'])
})

import { expect, test } from 'vitest'
import type { SmallService } from '../small-service.ts'
import { renderings, startServiceWithSite } from './write-site.ts'

function post(service: SmallService, fields: Record<string, string>): Promise<Response> {
  return fetch(`${service.origin}/key/`, { method: 'POST', body: new URLSearchParams(fields) })
}

test('the owner of a key sees the usage of its account, and disables it', async () => {
  await using service = await startServiceWithSite()
  const [key, other] = [await service.newKey(), await service.newKey()]
  await service.get('/words?q=run', { key })
  const shown = await (await post(service, { key, action: 'show' })).text()
  expect(shown).toContain('&quot;requests&quot;:1')
  expect(shown).not.toContain(key)
  expect((await post(service, { key, action: 'disable' })).status).toBe(400)
  expect((await service.get('/usage', { key })).status).toBe(200)
  const disabled = await post(service, { key, action: 'disable', confirm: 'yes' })
  expect([disabled.status, await disabled.text()]).toEqual([200, expect.stringContaining('isDisabled')])
  expect((await service.get('/usage', { key })).status).toBe(401)
  expect((await service.get('/usage', { key: other })).status).toBe(200)
  for (const action of ['show', 'disable'])
    expect((await post(service, { key, action, confirm: 'yes' })).status).toBe(401)
})

test('renders the page for invalid keys once for all', async () => {
  await using service = await startServiceWithSite()
  const before = renderings()
  for (let i = 0; i < 5; i++)
    expect((await post(service, { key: `clk_${i}`, action: 'show' })).status).toBe(401)
  expect(renderings() - before).toBe(1)
})

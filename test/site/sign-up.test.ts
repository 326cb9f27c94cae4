import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildSiteTree, startSiteService, type SiteService } from '../harness/site-service.ts'

let folder: string
let service: SiteService

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'clip-lookup-sign-up-'))
  await buildSiteTree()
  service = await startSiteService(folder, { signUpPerDay: 3 })
}, 300_000)

afterAll(async () => {
  await service?.stop()
  rmSync(folder, { recursive: true, force: true })
})

function post(account: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${service.origin}/signup/`, {
    method: 'POST',
    body: new URLSearchParams({ account }),
    headers,
  })
}

describe('the sign-up', () => {
  test('is rendered on demand, under the policy of the site, and never kept', async () => {
    const response = await fetch(`${service.origin}/signup/`)
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'self'; script-src 'self' /)
    expect(await response.text()).toContain('Make a trial key')
  })

  test('tells that it takes a form, and takes none from another origin', async () => {
    const options = await fetch(`${service.origin}/signup/`, { method: 'OPTIONS' })
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, POST, OPTIONS'])
    expect(options.headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS')
    const refused = await fetch(`${service.origin}/signup/`, { method: 'DELETE' })
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS'])
    expect(await refused.text()).toContain('use GET, HEAD, POST, OPTIONS')
  })

  test('does not heed a form from a page of another site', async () => {
    const response = await post('forged', { 'sec-fetch-site': 'cross-site' })
    expect(response.status).toBe(403)
    expect(await response.text()).not.toMatch(/clk_\w{38}/)
    expect((await post('forged', { origin: 'https://evil.example' })).status).toBe(403)
  })

  test('takes a name as text: nothing of it becomes markup', async () => {
    const response = await post('<script>alert(1)</script>')
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('&lt;script&gt;alert(1)')
  })

  test('refuses a form that is too large, unreadable or without a name', async () => {
    expect((await post('x'.repeat(20_000))).status).toBe(413)
    expect((await post('x'.repeat(65))).status).toBe(400)
    expect((await post(' ')).status).toBe(400)
    const json = await fetch(`${service.origin}/signup/`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
    expect(json.status).toBe(400)
    expect((await fetch(`${service.origin}/signup/`, { method: 'POST' })).status).toBe(400)
    const streamed: RequestInit & { duplex: 'half' } = {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new Blob(['account=ann']).stream(),
      duplex: 'half',
    }
    const endless = await fetch(`${service.origin}/signup/`, streamed)
    expect([endless.status, await endless.text()]).toEqual([411, 'The form must have a Content-Length.\n'])
  })

  test('makes one account a name and a few a day for an address', async () => {
    expect((await post('ann')).status).toBe(200)
    expect((await post('ann')).status).toBe(409)
    expect((await post('bob')).status).toBe(200)
    const refused = await post('cyd')
    expect(refused.status).toBe(429)
    expect(await refused.text()).toContain('3 accounts were made from your network today')
  })
})

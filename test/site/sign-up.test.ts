import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildSiteTree, startSiteService } from '../harness/site-service.ts'

let folder: string
let service: Awaited<ReturnType<typeof startSiteService>>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'clip-lookup-sign-up-'))
  await buildSiteTree()
  service = await startSiteService(folder, { signUpPerDay: 3 })
})

afterAll(async () => {
  await service?.stop()
  rmSync(folder, { recursive: true, force: true })
})

function post(account: string): Promise<Response> {
  return fetch(`${service.origin}/signup/`, { method: 'POST', body: new URLSearchParams({ account }) })
}

describe('the pages of the sign-up as they are built', () => {
  test('are a form, without values to fill in', async () => {
    const response = await fetch(`${service.origin}/signup/`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'self'; script-src 'self' /)
    const text = await response.text()
    expect(text).toContain('Create a trial key')
    expect(text).not.toContain('{{')
  })

  test('are not in the site map, but for the form', async () => {
    const map = await (await fetch(`${service.origin}/sitemap-0.xml`)).text()
    expect(map.match(/signup\/[^<]*/g)).toEqual(['signup/'])
  })

  test('show the account and its key', async () => {
    const response = await post('<b>ann</b>')
    expect(response.status).toBe(200)
    const text = await response.text()
    expect(text).toContain('&lt;b&gt;ann&lt;/b&gt;')
    expect(text.match(/clk_\w{38}/g)).toHaveLength(2)
    expect(text).not.toContain('{{')
  })

  test('show what is wrong with a form, and the name that was filled in', async () => {
    await post('taken')
    const response = await post('taken')
    expect(response.status).toBe(409)
    const text = await response.text()
    expect(text).toContain('An account with this name already exists')
    expect(text).toContain('value="taken"')
    expect(text).not.toContain('{{')
  })
})

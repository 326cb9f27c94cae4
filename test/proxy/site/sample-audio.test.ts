import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { sampleAudioFolder } from '#release/paths.ts'
import { sendRaw } from '../http/raw-request.ts'
import { sharedSmallService } from '../small-service.ts'
import { writeSite } from './write-site.ts'

const service = sharedSmallService()
const bytes = Buffer.from('0123456789')

beforeAll(async () => {
  await writeSite(service.folder)
  await service.refresh()
  const folder = join(service.folder, 'dist', sampleAudioFolder)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'en-a-b1.mp3'), bytes)
  await writeFile(join(folder, 'en-half.mp3.123.tmp'), bytes)
})

const get = (headers: Record<string, string> = {}, name = 'en-a-b1.mp3', method = 'GET') =>
  fetch(`${service.origin}/sample-audio/${name}`, { headers, method })

describe('the audio of a sample clip', () => {
  test('is sent whole, with the headers of a file that never changes', async () => {
    const response = await get()
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'audio/mpeg',
      'content-length': '10',
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      etag: '"en-a-b1.mp3"',
    })
    expect(await response.text()).toBe('0123456789')
    expect((await get({ 'if-none-match': '"en-a-b1.mp3"' })).status).toBe(304)
  })

  test.each([
    ['bytes=0-', '0123456789', 'bytes 0-9/10'],
    ['bytes=2-4', '234', 'bytes 2-4/10'],
    ['bytes=7-99', '789', 'bytes 7-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=-99', '0123456789', 'bytes 0-9/10'],
  ])('is sent in part for %s', async (range, text, contentRange) => {
    const response = await get({ range })
    expect([response.status, response.headers.get('content-range')]).toEqual([206, contentRange])
    expect(response.headers.get('content-length')).toBe(String(text.length))
    expect(await response.text()).toBe(text)
  })

  test.each(['bytes=4-2', 'bytes=-', 'bytes=0-1,4-5', 'bytes=x-2', 'seconds=0-1'])(
    'is sent whole for %s, which is no single range',
    async (range) => {
      const response = await get({ range })
      expect([response.status, await response.text()]).toEqual([200, '0123456789'])
    },
  )

  test.each(['bytes=10-', 'bytes=-0'])('is not sent for %s, which is outside of it', async (range) => {
    const response = await get({ range })
    expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */10'])
    expect(await response.text()).toBe('')
  })

  test('is sent whole if it is not the version that If-Range names', async () => {
    expect((await get({ range: 'bytes=2-4', 'if-range': '"en-a-b1.mp3"' })).status).toBe(206)
    expect((await get({ range: 'bytes=2-4', 'if-range': '"en-a-b0.mp3"' })).status).toBe(200)
  })

  test('has headers for HEAD, and allows no other methods', async () => {
    const head = await get({ range: 'bytes=2-4' }, undefined, 'HEAD')
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '10'])
    expect((await get({}, undefined, 'POST')).status).toBe(405)
    expect((await get({}, undefined, 'OPTIONS')).headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  })

  test.each([
    ['en-later-b2.mp3', 204],
    ['en-half.mp3', 204],
    ['en-half.mp3.123.tmp', 404],
    [`${'a'.repeat(300)}.mp3`, 404],
  ])('is not sent while it is missing or incomplete: %s', async (name, status) => {
    for (const method of ['GET', 'HEAD']) {
      const response = await get({}, name, method)
      expect([response.status, response.headers.get('cache-control')]).toEqual([status, 'no-store'])
    }
    expect((await get({ range: 'bytes=0-' }, name)).status).toBe(status)
  })

  test.each([
    '../state.sqlite',
    '..%2fstate.sqlite',
    '..%2fsample-audio%2fen-a-b1.mp3',
    '%2e%2e/state.sqlite',
  ])('is in no other folder: %s', async (name) => {
    const head = `GET /sample-audio/${name} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`
    const [answer] = await sendRaw(service.origin, head)
    expect(answer!.status).toBe(404)
  })
})

import { expect, test } from 'vitest'
import { Cursors } from '#proxy/http/cursor.ts'
import type { Context } from '#proxy/http/handler.ts'
import { readPage } from '#proxy/http/pagination.ts'

test.each([
  ['other parameters', ['day', 'en', '30', '20']],
  ['fewer parameters', ['en']],
])('refuses a cursor that an earlier version bound to %s', (_, fields) => {
  const cursors = new Cursors().use(Buffer.alloc(32, 7))
  const context = { release: { manifest: { tree: 't' } }, cursors } as Context
  const page = (cursor: string) => readPage('getFeed', { cursor }, context, expect.unreachable)
  expect(page(cursors.seal('getFeed t', fields))).toMatchObject({ status: 400, parameter: 'cursor' })
  expect(page(cursors.seal('getFeed t', ['en', 'day', '30', '20']))).toEqual({
    boundValues: { language: 'en', seed: 'day' },
    position: [30, 20],
  })
})

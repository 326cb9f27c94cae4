import { connect } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { rawRequest } from './raw-request.ts'
import { sharedSmallService } from '../small-service.ts'

const service = sharedSmallService()

/** The service still works as before. */
afterEach(async () => {
  expect((await service.get('/words?q=run', { key: service.key })).json.totalCount).toBe(1)
  expect(service.errors).toEqual([])
})

describe('the service outlives', () => {
  test('connections that end early', async () => {
    const whole = rawRequest('GET /v1/words HTTP/1.1', 'Host: h', `Authorization: Bearer ${service.key}`)
    for (let end = 0; end < whole.length; end += 3)
      await new Promise<void>((resolve) => {
        const socket = connect(Number(new URL(service.origin).port), '127.0.0.1', () => {
          socket.write(whole.slice(0, end))
          if (end % 2) socket.destroy()
          else socket.end()
        })
        socket.on('error', () => {})
        socket.on('close', () => resolve())
        socket.resume()
      })
  })

  test.each([
    ['a request', 'GET /v1/words HTTP/1.1\r\nHost: h\r\n\r\n'],
    ['half a request', 'GET /v1/words HTTP/1.1\r\nHo'],
    ['garbage', 'nonsense\r\n\r\n'],
    ['too long a line', `GET /${'a'.repeat(100_000)}`],
    ['a tunnel', 'CONNECT h:443 HTTP/1.1\r\nHost: h\r\n\r\n'],
  ])('connections that are reset after %s', async (_, bytes) => {
    for (let i = 0; i < 30; i++) {
      await new Promise<void>((resolve) => {
        const socket = connect(Number(new URL(service.origin).port), '127.0.0.1')
        socket.on('error', () => {})
        socket.on('close', () => resolve())
        // At once, on the first bytes of an answer, or a little later.
        const reset = () => socket.resetAndDestroy()
        socket.write(bytes, () =>
          i % 3 === 0 ? reset() : i % 3 === 1 ? socket.once('data', reset) : setTimeout(reset, 5),
        )
        if (i % 3 === 1) setTimeout(reset, 50)
      })
    }
  })
})

import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Release } from '#release/release.ts'
import { AnswerCache, FileCache } from '#proxy/http/caches.ts'
import { Body, payloadOf } from '#proxy/http/body.ts'
import { matchPath } from '#proxy/http/match.ts'
import { collectGarbage } from '../../harness/collect-garbage.ts'

/** More entries than the number of 64 KB slabs in the memory of a cache. */
const entries = 2_000
const text = 'x'.repeat(1_000)
const capBytes = 64 * 1024 * 1024

/** Returns the size of referenced Buffers: V8 frees the others on other threads. */
async function heldBytes(): Promise<number> {
  let held = Infinity
  for (let time = 0; time < 3; time++) {
    collectGarbage()
    await wait(10)
    held = Math.min(held, process.memoryUsage().arrayBuffers)
  }
  return held
}

/** Returns the growth of Buffer memory through what `fill` returns. */
async function growthBytes(fill: () => object): Promise<number> {
  const before = await heldBytes()
  const kept = await (fill() as Promise<object>)
  const after = await heldBytes()
  expect(kept).toBeDefined()
  return after - before
}

/** Returns a small Buffer as other requests create them: the rest of its slab belongs to them. */
function inSlab(): Buffer {
  const bytes = Buffer.from(text)
  Buffer.allocUnsafe(31_000)
  Buffer.allocUnsafe(31_000)
  return bytes
}

test('cached answers use no more memory than their limit', async () => {
  const release = {} as Release
  // As without a copy, and in the form in which it is cached.
  const body = () => new Body(payloadOf(inSlab()))
  const fill = () => {
    const cache = new AnswerCache()
    const match = matchPath('/v1/words')!
    cache.get(release, '')
    for (let i = 0; i < entries; i++)
      for (let time = 0; time < 2; time++)
        void cache.answer(release, { url: `/v1/words?q=${i}`, match, key: `listWords ${i}` }, body)
    expect(cache.get(release, `/v1/words?q=${entries - 1}`)).toBeDefined()
    return cache
  }
  expect(await growthBytes(fill)).toBeLessThan(capBytes)
})

test('cached files use no more memory than their limit, however they were read', async () => {
  const release = { read: async () => inSlab() } as unknown as Release
  const fill = async () => {
    const cache = new FileCache()
    for (let i = 0; i < entries; i++) await cache.read(release, { path: `data/${i}`, digest: '' })
    return cache
  }
  expect(await growthBytes(fill)).toBeLessThan(capBytes)
})

test('caches a compressed body without the slab that it was written to', () => {
  const slab = Buffer.alloc(64 * 1024)
  const payload = payloadOf(slab.subarray(0, 20_000)) as Buffer
  expect(payload.buffer.byteLength).toBe(20_000)
})

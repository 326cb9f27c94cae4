import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sha256 } from '#kit/digest.ts'
import { seededRandom } from '#kit/seeded-random.ts'
import { applyDelta } from '#release/delta/apply-delta.ts'
import { writeDelta } from '#release/delta/write-delta.ts'
import { faultRounds } from '../../harness/fault-rounds.ts'
import { tempFolder } from '../../harness/temp-folder.ts'

const noLimit = 1e9

/** Writes the delta between two contents, and applies it to the first. */
async function makeDelta(base: Uint8Array, file: Uint8Array) {
  const folder = tempFolder()
  const paths = { base: join(folder, 'base'), file: join(folder, 'file'), delta: join(folder, 'delta') }
  writeFileSync(paths.base, base)
  writeFileSync(paths.file, file)
  await writeDelta(paths.base, paths.file, paths.delta)
  const delta = readFileSync(paths.delta)
  const result = join(folder, 'result')
  const apply = (bytes: Uint8Array = delta, basePath = paths.base, maxBytes = noLimit) =>
    applyDelta(basePath, bytes, result, maxBytes)
  return { ...paths, delta, result, apply }
}

/** Random bytes without repetitions. */
function randomBytes(length: number, seed = 1): Buffer {
  const random = seededRandom(seed)
  return Buffer.from(Array.from({ length }, () => random() * 256))
}

test('makes a file from any other one', async () => {
  const someBytes = fc.array(
    fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.tuple(fc.nat(20), fc.nat(3000)).map(([seed, length]) => new Uint8Array(randomBytes(length, seed))),
      fc.nat(5000).map((length) => new Uint8Array(length)),
    ),
    { maxLength: 6 },
  )
  await fc.assert(
    fc.asyncProperty(someBytes, someBytes, async (base, pieces) => {
      const file = Buffer.concat(pieces)
      const { apply, result } = await makeDelta(Buffer.concat(base), file)
      expect(await apply()).toBe(sha256(file).toString('hex'))
      expect(readFileSync(result).equals(file)).toBe(true)
    }),
    { numRuns: faultRounds(100), seed: 8 },
  )
})

test('a delta has what was changed, inserted and moved, and little more', async () => {
  const base = randomBytes(1_000_000)
  const file = Buffer.concat([
    base.subarray(500_000),
    base.subarray(0, 100_000),
    Buffer.from('inserted'),
    base.subarray(100_000, 500_000),
  ])
  for (let at = 0; at < file.length; at += 10_000) file[at]! ^= 1
  const { delta, apply } = await makeDelta(base, file)
  expect(await apply()).toBe(sha256(file).toString('hex'))
  expect(delta.length).toBeLessThan(2_000)
})

test('equal files have equal deltas', async () => {
  const [base, file] = [randomBytes(100_000), Buffer.concat([randomBytes(60_000), randomBytes(9_000, 2)])]
  const [first, second] = [await makeDelta(base, file), await makeDelta(base, file)]
  expect(first.delta.equals(second.delta)).toBe(true)
})

test('a delta that is damaged or does not fit throws or gives another digest', async () => {
  const base = randomBytes(100_000)
  const file = Buffer.concat([base.subarray(50_000), randomBytes(50_000, 2), base.subarray(0, 50_000)])
  const { delta, apply, result } = await makeDelta(base, file)
  const digest = sha256(file).toString('hex')
  const digestOrNull = (bytes: Uint8Array, basePath?: string) => apply(bytes, basePath).catch(() => null)
  expect(await digestOrNull(delta.subarray(0, -10))).not.toBe(digest)
  for (let at = 0; at < delta.length; at += Math.ceil(delta.length / 50)) {
    const damaged = Buffer.from(delta)
    damaged[at]! ^= 16
    expect(await digestOrNull(damaged)).not.toBe(digest)
  }
  const shortBase = `${result}-short`
  writeFileSync(shortBase, base.subarray(0, 1000))
  await expect(apply(delta, shortBase)).rejects.toThrow('it copies bytes that the base does not have')
  await expect(apply(delta, undefined, file.length - 1)).rejects.toThrow(
    `the table would have more than ${file.length - 1} bytes`,
  )
  expect(statSync(result).size).toBeLessThan(file.length)
})

import { expect, test } from 'vitest'
import { StoreUnavailable, type Counters } from '#metering/store.ts'
import { Metrics } from '#proxy/admin/metrics.ts'
import { FollowedRelease } from '#proxy/followed.ts'
import { FolderTree } from '#release/tree.ts'
import { tempFolder } from '../../harness/temp-folder.ts'

test('measures every call of the store, and counts failed ones', async () => {
  const tree = new FolderTree(tempFolder())
  const release = new FollowedRelease(tree, { info: () => {}, error: () => {} })
  const metrics = new Metrics(release, tree, {})
  const counters: Counters = {
    consume: () => Promise.reject(new StoreUnavailable('away')),
    peek: async () => ({ outcome: 'unknown_key' }),
    giveBack: async () => {},
    keyIdOf: (digest) => `key_${digest}`,
  }
  const measured = metrics.measureCounters(counters)
  const subject = { kind: 'key', digest: 'a' } as const
  await expect(measured.consume(subject, 1)).rejects.toThrow('away')
  expect(await measured.peek(subject)).toEqual({ outcome: 'unknown_key' })
  await measured.giveBack({ accountId: 'a', periodStartMs: 0 })
  expect(measured.keyIdOf('a')).toBe('key_a')
  const read = (await metrics.read()) as unknown as {
    name: string
    values: { metricName?: string; labels: { call: string }; value: number }[]
  }[]
  const valuesOf = (name: string) =>
    read
      .find((metric) => metric.name === `clip_lookup_${name}`)!
      .values.filter(({ metricName = '' }) => !/_(bucket|sum)$/.test(metricName))
      .map(({ labels, value }) => [labels.call, value])
  const calls = ['consume', 'peek', 'giveBack']
  expect(valuesOf('store_duration_seconds')).toEqual(calls.map((call) => [call, 1]))
  expect(valuesOf('store_errors_total')).toEqual(calls.map((call) => [call, call === 'consume' ? 1 : 0]))
})

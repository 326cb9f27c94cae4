import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ReadinessProbe } from '#proxy/admin/readiness.ts'
import { FollowedRelease } from '#proxy/followed.ts'
import { openTree } from '#release/origin/open-tree.ts'
import { FolderTree, type Tree } from '#release/tree.ts'
import { startFaultyOrigin } from '../../harness/faulty-origin.ts'
import { holdStore } from '../../harness/hold-store.ts'
import { startSmallService, type SmallService } from '../small-service.ts'

const quiet = { info() {}, error() {} }

/**
 * Returns a function that reads the readiness of a service whose release is open, each time with a
 * new probe, which checks everything again.
 */
async function probesOf(
  { store }: SmallService,
  tree: Tree,
): Promise<() => ReturnType<ReadinessProbe['read']>> {
  const release = new FollowedRelease(tree, quiet)
  await release.refresh()
  return () => new ReadinessProbe(release, store.counters).read(false)
}

test('is ready while the store can be written, and says whether files can be read', async () => {
  await using service = await startSmallService({ patienceMs: 100 })
  const dist = join(service.folder, 'dist')
  const read = await probesOf(service, new FolderTree(dist))
  expect(await read()).toMatchObject({ isReady: true, store: 'ok', origin: 'ok' })

  const letGo = holdStore(join(service.folder, 'store.sqlite'))
  const unwritable = await read()
  expect(unwritable).toMatchObject({ isReady: false, origin: 'ok' })
  expect(unwritable.store).toContain('cannot count the requests')
  letGo()

  await rm(join(dist, 'data/clips'), { recursive: true })
  const unreadable = await read()
  expect(unreadable).toMatchObject({ isReady: true, store: 'ok' })
  expect(unreadable.origin).toContain('no file "data/clips/')
})

test('a cache that has every requested file does not hide that an origin is down', async () => {
  await using service = await startSmallService()
  const origin = await startFaultyOrigin(join(service.folder, 'dist'))
  const tree = openTree(origin.address, { cacheFolder: join(service.folder, 'cache'), followEveryMs: 1_000 })
  const read = await probesOf(service, tree)
  expect(await read()).toMatchObject({ isReady: true, origin: 'ok' })
  await origin.close()
  const down = await read()
  expect(down).toMatchObject({ isReady: true, store: 'ok' })
  expect(down.origin).toMatch(/cannot read "data\/clips\/.*" from the origin/)
})

test('is ready again soon after the store can be written again, not only after the time for which it caches success', async () => {
  await using service = await startSmallService({ patienceMs: 100 })
  const release = new FollowedRelease(new FolderTree(join(service.folder, 'dist')), quiet)
  await release.refresh()
  const probe = new ReadinessProbe(release, service.store.counters)
  const letGo = holdStore(join(service.folder, 'store.sqlite'))
  expect(await probe.read(false)).toMatchObject({ isReady: false })
  letGo()
  await expect.poll(() => probe.read(false)).toMatchObject({ isReady: true })
})

test('writes and reads once for many simultaneous probes', async () => {
  await using service = await startSmallService()
  const origin = await startFaultyOrigin(join(service.folder, 'dist'))
  onTestFinished(() => origin.close())
  const tree = openTree(origin.address, { cacheFolder: null, followEveryMs: 1_000 })
  const release = new FollowedRelease(tree, quiet)
  await release.refresh()
  const probe = new ReadinessProbe(release, service.store.counters)
  await Promise.all(Array.from({ length: 20 }, () => probe.read(false)))
  expect(origin.asked.filter(({ path }) => path.startsWith('/data/clips/'))).toHaveLength(1)
  const window = { kind: 'address', address: 'readyz', perMinute: 1_000 } as const
  const decision = await service.store.counters.peek(window)
  expect(decision).toMatchObject({ window: { remaining: 999 } })
})

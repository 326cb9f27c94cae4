import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rollback } from '#tree/rollback.ts'
import { smallCorpus } from '../fixtures/small-corpus.ts'
import { buildNight, serveForTest } from './agreement/served.ts'
import { startSmallService } from './small-service.ts'

/** Serves a release after another, which had one clip more. */
async function serveTwoNights() {
  const served = await serveForTest(smallCorpus)
  const first = (await served.get('/corpus')).json.release as string
  const second = await buildNight(served, { ...smallCorpus, clips: smallCorpus.clips.slice(1) })
  return { ...served, dist: join(served.folder, 'dist'), first, second }
}

test('the release in service has no changes since itself, and an unknown or malformed one is 404', async () => {
  await using service = await startSmallService()
  const { release } = (await service.get('/corpus')).json
  const none = { added: [], changed: [], withdrawn: [] }
  const answer = await service.get(`/changes?since=${release}`)
  expect(answer.json).toEqual({ from: release, to: release, clips: none, words: none })
  expect(answer.headers['cache-control']).toContain('public')
  const tooLong = `${'9'.repeat(300)}-00000000`
  for (const since of ['000099-00000000', '000001-00000000', 'x', '..%2F..%2Fdist', `${release}x`, tooLong]) {
    const { status, json } = await service.get(`/changes?since=${since}`)
    expect({ since, status }).toEqual({ since, status: 404 })
    expect(json.error.message).toContain('start again from /corpus')
  }
})

test('after a rollback, the changes lead back', async () => {
  const { service, get, dist, first, second } = await serveTwoNights()
  const forth = (await get(`/changes?since=${first}`)).json
  expect(forth.clips.withdrawn).toHaveLength(1)
  await rollback(dist, first)
  await service.refresh()
  const back = (await get(`/changes?since=${second}`)).json
  expect(back.clips.added).toEqual(forth.clips.withdrawn)
})

test('does not read the changes of the release in the request, which may name every clip', async () => {
  const { get, dist, first } = await serveTwoNights()
  await rm(join(dist, 'releases', first), { recursive: true })
  const { status, json } = await get(`/changes?since=${first}`)
  expect([status, json.clips.withdrawn.length]).toEqual([200, 1])
})

test('returns 404 since a release after which changes were pruned', async () => {
  const { get, dist, first, second } = await serveTwoNights()
  await rm(join(dist, 'releases', second, 'changes.json'))
  expect((await get(`/changes?since=${first}`)).status).toBe(404)
})

test.each([
  ['cut', () => '{'],
  ['of another release', () => '{"to":"000009-00000000"}'],
  [
    'one that follows itself',
    (text: string) => text.replace(/"from": "\d+-\w+"/, '"from": "000002-00000000"'),
  ],
  ['another list', (text: string) => text.replace('"withdrawn": [', '"withdrawn": []')],
])('returns 503 since a release after which the changes are damaged: %s', async (_, spoil) => {
  const { get, dist, first, second } = await serveTwoNights()
  const file = join(dist, 'releases', second, 'changes.json')
  const text = await readFile(file, 'utf8')
  await writeFile(file, spoil(text).replace('000002-00000000', second))
  const { status, json } = await get(`/changes?since=${first}`)
  expect([status, json.error.code]).toEqual([503, 'unavailable'])
})

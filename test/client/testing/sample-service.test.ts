import { expect, test } from 'vitest'
import { ClipLookup } from '#client/clip-lookup.ts'
import { highlight } from '#client/helpers/highlight.ts'
import { paths, type OperationId } from '#client/operations.ts'
import { sampleData } from '#client/testing/sample-data.ts'
import { SampleService } from '#client/testing/sample-service.ts'
import { checkBody } from '../../harness/openapi-check.ts'

const clip = sampleData.clips[0]!

function newClient() {
  const service = new SampleService()
  return { service, client: new ClipLookup({ ...service, retries: 1 }) }
}

test('every record has the shape that the API defines', async () => {
  const { client } = newClient()
  const parameters: Record<string, object[]> = {
    getFeed: [{ language: 'ja' }],
    listClips: [{ ids: [clip.videoId, 'nosuchclip'] }],
    getClip: [{ clipId: clip.clipId }],
    getTranscript: sampleData.clips.map(({ clipId }) => ({ clipId })),
    listWords: [{}, { q: 'l' }, { q: 'go', in: 'meanings' }, { spellings: ['the', 'x'] }, { ids: [1, 2, 3] }],
    getWord: [{ word: 'the' }],
    listWordClips: sampleData.words.map(({ wordId, language }) => ({ word: wordId, language })),
    searchSentences: [{ q: 'the' }],
    getChanges: [{ since: 'x' }],
  }
  for (const [id, path] of Object.entries(paths))
    for (const each of parameters[id] ?? [{}]) {
      const { record } = await client.call(id as OperationId, each as never)
      checkBody(id, path, 200, JSON.parse(JSON.stringify(record)))
    }
})

test('finds clips by a form of a word, and highlights that form', async () => {
  const { client } = newClient()
  let found = 0
  for (const { word, forms, language } of sampleData.words.slice(0, 100)) {
    const page = await client.listWordClips({ word: forms[0] ?? word, language })
    for (const { text, start, end, form } of page.items.flatMap(({ occurrences }) => occurrences)) {
      expect(highlight(text, start, end).match.toLowerCase()).toBe(form.toLowerCase())
      found++
    }
  }
  expect(found).toBeGreaterThan(50)
})

test.each([
  ['阿吽の呼吸', ['阿吽の呼吸', '阿吽の呼吸']],
  ['待つ', ['待って']],
])('finds %s once in each place where it is said in several tokens', async (word, forms) => {
  const { client } = newClient()
  const { items } = await client.listWordClips({ word, language: 'ja' })
  const occurrences = items.flatMap((item) => item.occurrences)
  expect(occurrences.map(({ form }) => form)).toEqual(forms)
  for (const { text, start, end, form } of occurrences) expect(highlight(text, start, end).match).toBe(form)
})

test('consecutive pages hold every clip once', async () => {
  const { client, service } = newClient()
  const clipIds: string[] = []
  for await (const item of client.items('getFeed', { limit: 3, exclude: [clip.videoId] }))
    clipIds.push(item.clip.clipId)
  const expected = sampleData.clips.filter(
    ({ language, clipId }) => language === 'en' && clipId !== clip.clipId,
  )
  expect(clipIds.sort()).toEqual(expected.map(({ clipId }) => clipId).sort())
  expect(service.requests).toHaveLength(Math.ceil(expected.length / 3))
})

test('returns not found for what does not exist, and refuses what is misspelled', async () => {
  const { client } = newClient()
  await expect(client.getClip({ clipId: 'nosuchclip' })).rejects.toMatchObject({ code: 'not_found' })
  await expect(client.getWord({ word: 'nosuchword' })).rejects.toMatchObject({ status: 404 })
  await expect(client.listWords({ lang: 'en' } as object)).rejects.toMatchObject({ parameter: 'lang' })
})

test('the next requests fail as a test specifies, and later ones succeed', async () => {
  const { client, service } = newClient()
  service.failNext({ status: 429, code: 'quota_exceeded', retryAfter: 86_400 })
  await expect(client.getFeed()).rejects.toMatchObject({ code: 'quota_exceeded', retryAfter: 86_400 })
  const other = new ClipLookup({ ...service, retries: 1 })
  service.failNext({ status: 503 }, 2)
  await expect(other.getFeed()).rejects.toMatchObject({ code: 'unavailable' })
  service.failNext({ status: 'network' })
  expect((await other.getFeed()).items.length).toBeGreaterThan(0)
  expect(service.requests).toHaveLength(5)
})

test('refuses as many look-ups as a test specifies, but never the free request for the usage', async () => {
  const { client, service } = newClient()
  service.failNext({ status: 429, code: 'rate_limited', retryAfter: 1 }, 2)
  await client.getFeed()
  expect(service.requests.filter((path) => path === '/feed')).toHaveLength(3)
  service.failNext({ status: 503 }, 3)
  await expect(client.getUsage()).rejects.toMatchObject({ code: 'unavailable' })
})

test('a call to a slow service ends at its deadline', async () => {
  const { client, service } = newClient()
  service.delayMs = 60_000
  await expect(client.getFeed({}, { timeoutMs: 50 })).rejects.toMatchObject({ code: 'timeout' })
  service.delayMs = 5
  expect((await client.getFeed()).seed).toBe('sample')
})

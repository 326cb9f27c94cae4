import fc from 'fast-check'
import { expect } from 'vitest'
import { askedClipIds, askedWordIds, wordClipsQueries } from '../../model/generate.ts'
import { GLOSSES, type Gloss, type SourceCorpus } from '../../model/source.ts'
import { expectNotFound, expectSame, queryText, type Served } from './served.ts'

const several = <T>(requests: fc.Arbitrary<T>, count = 12) =>
  fc.array(requests, { minLength: count, maxLength: count })

const someGloss = fc.constantFrom<Gloss>(...GLOSSES)

/** Generates requests for records by their ids, one by one and in batches. */
export const recordRequests = (corpus: SourceCorpus) =>
  fc.record({
    clipIds: several(askedClipIds(corpus), 8),
    gloss: someGloss,
    words: several(wordClipsQueries(corpus)),
    wordIds: several(fc.record({ ids: askedWordIds(corpus), gloss: someGloss })),
    clipBatches: several(fc.array(askedClipIds(corpus), { minLength: 1, maxLength: 30 })),
  })
type RecordRequests =
  ReturnType<typeof recordRequests> extends fc.Arbitrary<infer Requests> ? Requests : never

/**
 * Checks that clips, transcripts, words and the corpus record are those of the model, in the order
 * of the request.
 */
export async function recordsAgree(served: Served, requests: RecordRequests): Promise<void> {
  const { corpus, model, service, get } = served
  const videoIds = corpus.clips.map(({ videoId }) => videoId)
  const clipIds = videoIds.map((videoId) => model.clip(videoId)!.clipId)
  const upper = clipIds.map((id) => id.toUpperCase())
  for (const id of [...clipIds, ...upper, ...videoIds, ...requests.clipIds]) {
    await clipAgrees(served, id, requests.gloss)
    await transcriptAgrees(served, id)
  }
  for (const { word, language, gloss } of requests.words) {
    const answer = await get(`/words/${encodeURIComponent(word)}?${queryText({ language, gloss })}`)
    const record = model.word(word, { language, gloss })
    if (record === null) expectNotFound(answer)
    else expectSame(answer.json, record)
  }
  for (const { ids, gloss } of requests.wordIds) {
    const { json } = await get(`/words?${queryText({ ids: ids.join(' , '), gloss })}`)
    const words = model.wordsById(ids, gloss)
    expectSame(json, { words, totalCount: words.length, nextCursor: null })
  }
  const inOrder = requests.words.filter(({ word }) => !word.includes(','))
  for (const [language, words] of Map.groupBy(inOrder, (query) => query.language)) {
    const spellings = words.map(({ word }) => word)
    const gloss = requests.gloss
    const { json } = await get(`/words?${queryText({ spellings: spellings.join(), language, gloss })}`)
    const records = model.wordsBySpelling(spellings, { language, gloss })
    expectSame(json, { words: records, totalCount: records.length, nextCursor: null })
  }
  for (const ids of requests.clipBatches) {
    const { json } = await get(`/clips?${queryText({ ids: ids.join(',') })}`)
    const { items, missing } = model.clipBatch(ids)
    const indexedAt = new Date(service.clock.ms).toISOString()
    expectSame(json, { items: items.map((item) => ({ ...item, indexedAt })), missing })
  }
  const batch = await get(`/clips?ids=${videoIds.slice(0, 50).join()}`)
  const alone = await Promise.all(videoIds.slice(0, 50).map((id) => get(`/clips/${id}`)))
  expect(batch.text).toBe(`{"items":[${alone.map(({ text }) => text).join()}],"missing":[]}`)
  await corpusAgrees(served)
}

async function clipAgrees({ model, service, get }: Served, id: string, gloss: string): Promise<void> {
  const answer = await get(`/clips/${id}?gloss=${gloss}`)
  const record = model.clip(id)
  if (record === null) return expectNotFound(answer)
  expect(answer.status).toBe(200)
  // The clock stands still, so the build was at this time.
  expectSame(answer.json, { ...record, indexedAt: new Date(service.clock.ms).toISOString() })
}

async function transcriptAgrees({ model, get }: Served, id: string): Promise<void> {
  const answer = await get(`/clips/${id}/transcript`)
  const record = model.transcript(id)
  if (record === null) return expectNotFound(answer)
  expect(answer.status).toBe(200)
  expectSame(answer.json, record)
}

async function corpusAgrees({ model, service }: Served): Promise<void> {
  const answer = await service.get('/corpus')
  expect(answer.status).toBe(200)
  const { release, builtAt, ...rest } = answer.json
  expectSame(answer.json, { release, builtAt, ...rest })
  expect(release).not.toBe('')
  expect(builtAt).toBe(new Date(service.clock.ms).toISOString())
  expectSame(rest, model.corpus())
}

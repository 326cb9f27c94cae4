import fc from 'fast-check'
import { expect, test } from 'vitest'
import { askedClipIds, askedWordIds, wordClipsQueries } from '../model/generate.ts'
import { GLOSSES, type Gloss, type SourceCorpus } from '../model/source.ts'
import { expectNotFound, expectSame, holdsForCorpora, patienceOf, queryText } from './agreement.ts'

const allRuns = 25
const requestsPerCorpus = 12

const several = <T>(requests: fc.Arbitrary<T>) =>
  fc.array(requests, { minLength: requestsPerCorpus, maxLength: requestsPerCorpus })

test('a word by a spelling or id is that of the model', patienceOf(allRuns), async () => {
  await holdsForCorpora(
    allRuns,
    (corpus) => several(wordClipsQueries(corpus)),
    async ({ model, get }, queries) => {
      for (const { word, language, gloss } of queries) {
        const answer = await get(`/words/${encodeURIComponent(word)}?${queryText({ language, gloss })}`)
        const record = model.word(word, { language, gloss })
        if (record === null) expectNotFound(answer)
        else expectSame(answer.json, record)
      }
    },
  )
})

test('words by their ids are those of the model, in the order asked', patienceOf(allRuns), async () => {
  const requests = (corpus: SourceCorpus) =>
    several(fc.record({ ids: askedWordIds(corpus), gloss: fc.constantFrom<Gloss>(...GLOSSES) }))
  await holdsForCorpora(allRuns, requests, async ({ model, get }, asked) => {
    for (const { ids, gloss } of asked) {
      const { json } = await get(`/words?${queryText({ ids: ids.join(' , '), gloss })}`)
      const words = model.wordsById(ids, gloss)
      expectSame(json, { words, totalCount: words.length, nextCursor: null })
    }
  })
})

test('clips by their ids are those of the model, in the order asked', patienceOf(allRuns), async () => {
  const requests = (corpus: SourceCorpus) =>
    several(fc.array(askedClipIds(corpus), { minLength: 1, maxLength: 30 }))
  await holdsForCorpora(allRuns, requests, async ({ model, service, get }, asked) => {
    for (const ids of asked) {
      const { json } = await get(`/clips?${queryText({ ids: ids.join(',') })}`)
      const { items, missing } = model.clipBatch(ids)
      const indexedAt = new Date(service.clock.ms).toISOString()
      expectSame(json, { items: items.map((item) => ({ ...item, indexedAt })), missing })
    }
  })
})

test('a clip of a batch is byte for byte the clip by itself', async () => {
  await holdsForCorpora(
    3,
    (corpus) => fc.constant(corpus.clips.map(({ videoId }) => videoId)),
    async ({ get }, ids) => {
      const batch = await get(`/clips?ids=${ids.join()}`)
      const alone = await Promise.all(ids.map((id) => get(`/clips/${id}`)))
      expect(batch.text).toBe(`{"items":[${alone.map(({ text }) => text).join()}],"missing":[]}`)
    },
  )
})

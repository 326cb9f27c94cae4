import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GLOSSES } from '../model/source.ts'
import { askedClipIds } from '../model/generate.ts'
import { expectNotFound, expectSame, holdsForCorpora, patienceOf, type Served } from './agreement.ts'

const allRuns = 40

test(
  'clips, transcripts and the corpus record are those of the model, whatever the corpus',
  patienceOf(allRuns),
  async () => {
    await holdsForCorpora(allRuns, idsAndGloss, async (served, { ids, gloss }) => {
      const { corpus, model } = served
      const clipIds = corpus.clips.map(({ videoId }) => model.clip(videoId)!.clipId)
      const everyId = [
        ...clipIds,
        ...clipIds.map((id) => id.toUpperCase()),
        ...corpus.clips.map(({ videoId }) => videoId),
      ]
      for (const id of [...everyId, ...ids]) {
        await clipAgrees(served, id, gloss)
        await transcriptAgrees(served, id)
      }
      await corpusAgrees(served)
    })
  },
)

const idsAndGloss = (corpus: Served['corpus']) =>
  fc.record({
    ids: fc.array(askedClipIds(corpus), { minLength: 8, maxLength: 8 }),
    gloss: fc.constantFrom(...GLOSSES),
  })

async function clipAgrees({ model, service, get }: Served, id: string, gloss: string): Promise<void> {
  const answer = await get(`/clips/${id}?gloss=${gloss}`)
  const record = model.clip(id)
  if (record === null) return expectNotFound(answer)
  expect(answer.status).toBe(200)
  // The clock stands still: the build was at this instant.
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

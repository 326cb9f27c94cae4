import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tempFolder } from '../harness/temp-folder.ts'
import { sentencesQueries } from '../model/generate.ts'
import { queryTokens, type SentencesQuery } from '../model/sentences.ts'
import { modelOf } from '../model/model.ts'
import type { SourceClip, SourceCorpus } from '../model/source.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { expectSame, holdsForCorpora, patienceOf, queryText, serve, type Served } from './agreement.ts'

const allRuns = 60

/** The clips of a night, whether they are published again, and the size limit of a segment. */
interface Night {
  present: boolean[]
  isReplaced: boolean
  maxSegmentTokens: number | undefined
}

test(
  'night after night, with clips that come, go, come back and are replaced, a search is that of the model',
  patienceOf(allRuns),
  async () => {
    const requests = (corpus: SourceCorpus) =>
      fc.record({
        nights: fc.array(
          fc.record({
            present: fc.array(fc.boolean(), {
              minLength: corpus.clips.length,
              maxLength: corpus.clips.length,
            }),
            isReplaced: fc.boolean(),
          }),
          { minLength: 2, maxLength: 5 },
        ),
        maxSegmentTokens: fc.constantFrom(undefined, 1, 8),
        queries: fc.array(sentencesQueries(corpus), { minLength: 8, maxLength: 8 }),
      })
    await holdsForCorpora(allRuns, requests, async (served, { nights, maxSegmentTokens, queries }) => {
      for (const [i, night] of nights.entries())
        await nightAgrees(served, { ...night, maxSegmentTokens }, queries, i)
    })
  },
)

test('twelve nights of one new clip each leave few segments behind, which hold each clip once', async () => {
  const folder = tempFolder()
  const corpus: SourceCorpus = { catalogues: {}, forms: {}, clips: clipsOf(1) }
  const served = await serve(corpus, folder)
  try {
    for (let count = 2; count <= 12; count++) {
      await buildNight(served, { ...corpus, clips: clipsOf(count) })
      const { json } = await served.get('/sentences?q=here')
      expect(json.totalCount).toBe(count)
    }
    const names = await readdir(join(folder, 'dist', 'releases'))
    const manifest = await import(join(folder, 'dist', 'releases', names.sort().at(-1)!, 'manifest.json'), {
      with: { type: 'json' },
    })
    expect(manifest.default.sentences.length).toBeLessThanOrEqual(4)
    const clips = manifest.default.sentences.reduce(
      (sum: number, { clips }: { clips: number }) => sum + clips,
      0,
    )
    expect(clips).toBe(12)
  } finally {
    await served.service.stop()
  }
})

test('what is too large for one segment becomes several, which a later night leaves as they are', async () => {
  const folder = tempFolder()
  const corpus: SourceCorpus = { catalogues: {}, forms: {}, clips: clipsOf(6) }
  const served = await serve(corpus, folder)
  const segments = async () => {
    const { release } = JSON.parse(await readFile(join(folder, 'dist', 'current.json'), 'utf8'))
    const path = join(folder, 'dist', 'releases', release, 'manifest.json')
    return JSON.parse(await readFile(path, 'utf8')).sentences as { digest: string; clips: number }[]
  }
  try {
    const replaced = clipsOf(6).map((clip) => respoken({ ...clip, title: 'New' }, 1))
    await buildNight(served, { ...corpus, clips: replaced }, 8)
    const before = await segments()
    expect(before.map(({ clips }) => clips)).toEqual([2, 2, 2])
    await buildNight(served, { ...corpus, clips: [...replaced, ...clipsOf(7).slice(6)] }, 8)
    const after = await segments()
    expect(after.slice(0, 3)).toEqual(before)
    expect(after[3]).toMatchObject({ clips: 1 })
    const { json } = await served.get('/sentences?q=is+here')
    expect(json.totalCount).toBe(7)
  } finally {
    await served.service.stop()
  }
})

test('clips in which nothing is said do not stop a build, and are found when they say something', async () => {
  const folder = tempFolder()
  const silent = clipsOf(2).map((clip) => ({ ...clip, cues: [{ tStart: 0, tEnd: 1, text: '♪ ♪' }] }))
  const served = await serve({ catalogues: {}, forms: {}, clips: silent }, folder)
  try {
    expect((await served.get('/sentences?q=here')).json.totalCount).toBe(0)
    await buildNight(served, { catalogues: {}, forms: {}, clips: clipsOf(2) })
    expect((await served.get('/sentences?q=here')).json.totalCount).toBe(2)
  } finally {
    await served.service.stop()
  }
})

function clipsOf(count: number): SourceClip[] {
  return Array.from({ length: count }, (_, i) => ({
    videoId: `video-${i}`,
    title: `Clip ${i}`,
    language: 'en',
    level: 'A1',
    durationS: 10,
    channel: { id: 'c', name: 'Channel' },
    cues: [{ tStart: 0, tEnd: 1, text: `Number ${i} is here.` }],
  }))
}

async function nightAgrees(served: Served, night: Night, queries: SentencesQuery[], number: number) {
  const clips = served.corpus.clips
    .filter((_, i) => night.present[i])
    .map((clip, i) => (night.isReplaced && i % 2 === 0 ? respoken(clip, number) : clip))
  const corpus = { ...served.corpus, clips }
  await buildNight(served, corpus, night.maxSegmentTokens)
  const model = modelOf(corpus)
  for (const query of queries) {
    const { q, language, match, levels } = query
    if (queryTokens(q, language).length > 12) continue
    const answer = await served.get(
      `/sentences?${queryText({ q, language, match, level: levels?.join(), limit: 100 })}`,
    )
    const items = model.sentences(query)
    expectSame(answer.json, { items, totalCount: items.length, nextCursor: null })
  }
}

async function buildNight(
  { service }: Served,
  corpus: SourceCorpus,
  maxSegmentTokens?: number,
): Promise<void> {
  const corpusFolder = tempFolder()
  await writeSourceFolder(corpusFolder, corpus)
  service.clock.ms += 24 * 3600 * 1000
  await service.build(corpusFolder, { maxShrink: 1, replace: 'all', maxSegmentTokens })
  await service.refresh()
}

/** The clip with its lines in another order, and one more. */
function respoken(clip: SourceClip, number: number): SourceClip {
  const cues = clip.cues.map(({ tStart, tEnd }, i) => ({
    tStart,
    tEnd,
    text: clip.cues[(i + 1) % clip.cues.length]!.text,
  }))
  return { ...clip, title: `${clip.title} ${number}`, cues }
}

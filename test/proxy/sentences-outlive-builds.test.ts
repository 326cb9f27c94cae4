import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tempFolder } from '../harness/temp-folder.ts'
import { sentencesQueries } from '../model/generate.ts'
import { queryTokens, type SentencesQuery } from '../model/sentences.ts'
import { modelOf } from '../model/model.ts'
import type { SourceClip, SourceCorpus } from '../model/source.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { expectSame, holdsForCorpora, queryText, serve, type Served } from './agreement/served.ts'

const allRuns = 40

/**
 * The clips of a night, whether they are published again, and how many ordinals a segment covers.
 */
interface Night {
  present: boolean[]
  isReplaced: boolean
  segmentOrdinals: number | undefined
}

test('night after night, with clips that come, go, come back and are replaced, a search is that of the model', async () => {
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
      segmentOrdinals: fc.constantFrom(undefined, 1, 3),
      queries: fc.array(sentencesQueries(corpus), { minLength: 8, maxLength: 8 }),
    })
  await holdsForCorpora(allRuns, requests, async (served, { nights, segmentOrdinals, queries }) => {
    for (const [i, night] of nights.entries())
      await nightAgrees(served, { ...night, segmentOrdinals }, queries, i)
  })
})

test('a night writes the segments whose clips have changed, and leaves the others as they are', async () => {
  const folder = tempFolder()
  const corpus: SourceCorpus = { catalogues: {}, forms: {}, clips: clipsOf(6) }
  const served = await serve(corpus, folder)
  const segments = async () => {
    const { release } = JSON.parse(await readFile(join(folder, 'dist', 'current.json'), 'utf8'))
    const path = join(folder, 'dist', 'releases', release, 'manifest.json')
    return JSON.parse(await readFile(path, 'utf8')).sentences as { firstOrdinal: number; clips: number }[]
  }
  try {
    await buildNight(served, { ...corpus, clips: clipsOf(7) }, 2)
    const before = await segments()
    expect(before.map(({ firstOrdinal, clips }) => [firstOrdinal, clips])).toEqual([
      [0, 2],
      [2, 2],
      [4, 2],
      [6, 1],
    ])
    const changed = clipsOf(8).map((clip, i) =>
      i === 3 ? { ...clip, cues: [{ ...clip.cues[0]!, text: 'It is here.' }] } : clip,
    )
    await buildNight(served, { ...corpus, clips: changed.toSpliced(4, 2) }, 2)
    const after = await segments()
    expect(after[0]).toEqual(before[0])
    expect(after[1]).not.toEqual(before[1])
    expect(after.map(({ firstOrdinal, clips }) => [firstOrdinal, clips])).toEqual([
      [0, 2],
      [2, 2],
      [6, 2],
    ])
    const { json } = await served.get('/sentences?q=is+here')
    expect(json.totalCount).toBe(6)
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
  await buildNight(served, corpus, night.segmentOrdinals)
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
  segmentOrdinals?: number,
): Promise<void> {
  const corpusFolder = tempFolder()
  await writeSourceFolder(corpusFolder, corpus)
  service.clock.ms += 24 * 3600 * 1000
  await service.build(corpusFolder, { maxShrink: 1, replace: 'all', segmentOrdinals })
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

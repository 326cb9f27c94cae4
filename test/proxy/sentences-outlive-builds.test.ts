import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempFolder } from '../harness/temp-folder.ts'
import type { SourceClip, SourceCorpus } from '../model/source.ts'
import { buildNight, serve } from './agreement/served.ts'

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

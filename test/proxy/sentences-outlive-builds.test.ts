import { expect, test } from 'vitest'
import { openRelease } from '#release/release.ts'
import { FolderTree } from '#release/tree.ts'
import { clip, corpus } from '../nightly/small-corpus.ts'
import { buildNight, serveForTest } from './agreement/served.ts'

const clipsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => clip(`v${i}`, `Number ${i} is here.`))

test('a night writes the segments whose clips have changed, and leaves the others unchanged', async () => {
  const served = await serveForTest(corpus(clipsOf(6)))
  const segmentsAfter = async (clips: ReturnType<typeof clipsOf>) => {
    const release = await buildNight(served, corpus(clips), 2)
    return (await openRelease(new FolderTree(`${served.folder}/dist`), release)).manifest.sentences
  }
  const rangesOf = (segments: readonly { firstOrdinal: number; clips: number }[]) =>
    segments.map(({ firstOrdinal, clips }) => [firstOrdinal, clips])
  const before = await segmentsAfter(clipsOf(7))
  expect(rangesOf(before)).toEqual([[0, 2], [2, 2], [4, 2], [6, 1]]) // prettier-ignore
  const after = await segmentsAfter(clipsOf(8).with(3, clip('v3', 'It is here.')).toSpliced(4, 2))
  expect(rangesOf(after)).toEqual([[0, 2], [2, 2], [6, 2]]) // prettier-ignore
  expect(after[0]).toEqual(before[0])
  expect(after[1]).not.toEqual(before[1])
  expect((await served.get('/sentences?q=is+here')).json.totalCount).toBe(6)
})

test('clips without speech do not stop a build, and are found once they have some', async () => {
  const served = await serveForTest(corpus([clip('v0', '♪ ♪'), clip('v1', '♪ ♪')]))
  expect((await served.get('/sentences?q=here')).json.totalCount).toBe(0)
  await buildNight(served, corpus(clipsOf(2)))
  expect((await served.get('/sentences?q=here')).json.totalCount).toBe(2)
})

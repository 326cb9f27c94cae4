import { expect, test } from 'vitest'
import { smallCorpus } from '../fixtures/small-corpus.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { startSmallService } from '../proxy/small-service.ts'
import { LearningApp } from '../../src/content/docs/guides/word-page-client.ts'

test('the client of the guide does what the guide says, in as many requests', async () => {
  await using service = await startSmallService()
  const app = new LearningApp(service.origin, await service.newKey())
  await app.refresh()
  expect(app.requests).toBe(1)

  const feed = await app.feed('A2', 10)
  expect(feed.map(({ level }) => level).sort()).toEqual(['A1', 'A1', 'A2'])
  expect(app.requests).toBe(2)

  const { word, clips } = await app.wordPage('looking after')
  expect(word).toMatchObject({ word: 'look after', forms: ['looking after', 'looks after'] })
  expect(clips.map(({ title }) => title)).toEqual(['The title of cat-sitter', 'The title of watchmaker'])
  expect(app.requests).toBe(4)

  const glossary = await app.glossary(clips[0]!.clipId)
  expect([...glossary.values()].map(({ word }) => word)).toContain('cat')
  expect(app.requests).toBe(6)

  expect((await app.search('look after the cat')).toSorted()).toEqual([
    'I [look after the cats], and I run.',
    'Who is [looking after the cat]?',
  ])
  expect(app.requests).toBe(7)

  const { clipId } = feed.find(({ title }) => title.endsWith('at-the-beach'))!
  await app.clip(clipId)
  expect(app.requests).toBe(7)
  await replace(service, 'at-the-beach', 'At the seaside')
  await app.refresh()
  expect((await app.clip(clipId)).title).toBe('At the seaside')
  expect(app.requests).toBe(9)
})

async function replace(
  service: Awaited<ReturnType<typeof startSmallService>>,
  videoId: string,
  title: string,
): Promise<void> {
  const corpusFolder = tempFolder()
  const clips = smallCorpus.clips.map((clip) => (clip.videoId === videoId ? { ...clip, title } : clip))
  await writeSourceFolder(corpusFolder, { ...smallCorpus, clips })
  await service.build(corpusFolder, { replace: 'all' })
  await service.refresh()
}

import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { SentencePage } from '#contract/sentences.ts'
import { FolderTree } from '#release/tree.ts'
import { runClip, smallCorpus } from '../../fixtures/small-corpus.ts'
import { startService } from '../../harness/service.ts'
import { writeSourceFolder } from '../../harness/source-folder.ts'
import { tempFolder } from '../../harness/temp-folder.ts'

test('a page that reads the words of many clips from disk ends early, and the next one continues', async () => {
  const { catalogues } = smallCorpus
  const folder = tempFolder()
  await writeSourceFolder(join(folder, 'source'), {
    catalogues: { en: catalogues.en! },
    forms: {},
    clips: [
      ...Array.from({ length: 2_500 }, (_, i) => runClip(`v${i}`, 'A1', 'usual')),
      runClip('last', 'B1', 'rare'),
    ],
  })
  const tree = new FolderTree(join(folder, 'dist'), 0)
  const service = await startService({ folder, corpusFolder: join(folder, 'source'), tree })
  onTestFinished(service.stop)
  const key = await service.newKey()
  const path = '/sentences?q=run&channel=rare&known=1'
  const first = (await service.get(path, { key })).json as SentencePage
  expect(first).toMatchObject({ items: [], nextCursor: expect.any(String) })
  const second = (await service.get(`${path}&cursor=${first.nextCursor}`, { key })).json as SentencePage
  expect(second.items.map(({ clip }) => clip.videoId)).toEqual(['last'])
  expect(second.nextCursor).toBeNull()
})

import { cp, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { prune } from '#tree/prune.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { buildNights, fewNights, type Night } from './few-nights.ts'
import { buildTree, clip, clips, corpus, filesOf, readJson } from './small-corpus.ts'

/** Nights in which a few clips of long lists are added and removed. */
const many = clips(80)
const longLists: Night[] = [
  { clips: many },
  { clips: many.slice(3) },
  { clips: [...many.slice(5), clip('late'), clip('v1')] },
  { clips: [...many.slice(5, 50), ...many.slice(51), clip('late')] },
  { clips: [clip('last'), ...many.slice(7)] },
  { clips: [...many.slice(7, 60), ...many.slice(62), clip('late')] },
]

/** Five nights after the first copy, in which clips are replaced, removed and restored. */
const nightsOfClips: Night[] = [...fewNights, { clips: [clip('stays'), clip('goes'), clip('last')] }]

type WordLine = { wordId: number; word: string; clipCount: number; lists: { path: string }[] }
type ClipLine = { clipId: string; record: string; transcript: string }

/** Copies everything that `index.json` leads to, like somebody who knows only its documentation. */
async function freshCopy(tree: string, to: string): Promise<void> {
  const copy = async (path: string) => {
    await mkdir(dirname(join(to, path)), { recursive: true })
    await cp(join(tree, path), join(to, path))
  }
  const { corpus, languages } = await readJson(tree, 'index.json')
  await copy(corpus)
  for (const { words, clips } of Object.values<{ words: string[]; clips: string[] }>(languages)) {
    for (const path of [...words, ...clips]) await copy(path)
    for (const { lists } of await linesOf<WordLine>(tree, words))
      for (const { path } of lists) await copy(path)
    for (const { record, transcript } of await linesOf<ClipLine>(tree, clips)) {
      await copy(record)
      await copy(transcript)
    }
  }
}

async function linesOf<Line>(tree: string, paths: readonly string[]): Promise<Line[]> {
  const files = await Promise.all(paths.map((path) => readJson(tree, path)))
  return files.flatMap(({ items }) => items as Line[])
}

/** Updates a mirror with only the changes of the release in service. */
async function follow(tree: string, mirror: string): Promise<void> {
  const { changes } = await readJson(tree, 'index.json')
  const { files } = await readJson(tree, changes)
  for (const path of files.added) {
    await mkdir(dirname(join(mirror, path)), { recursive: true })
    await cp(join(tree, path), join(mirror, path))
  }
  for (const path of files.removed) await rm(join(mirror, path))
}

test.each([
  ['clips and words change', nightsOfClips],
  ['long lists change', longLists],
])(
  'where %s, a mirror that follows changes.json equals a fresh copy every night, and the rest of the tree once it is pruned',
  async (_, nights) => {
    const folder = tempFolder()
    const [dist, mirror] = [join(folder, 'dist'), join(folder, 'mirror')]
    let removed = 0
    for (const [i, night] of nights.entries()) {
      const source = join(folder, `source-${i}`)
      await writeSourceFolder(source, corpus(night.clips, night.words))
      await buildTree(source, dist, { replace: 'all', maxShrink: 1 })
      if (i === 0) await freshCopy(dist, mirror)
      else await follow(dist, mirror)
      const fresh = join(folder, `fresh-${i}`)
      await freshCopy(dist, fresh)
      expect(await filesOf(mirror)).toEqual(await filesOf(fresh))
      await expectListsToAgree(dist)
      removed += (await readJson(dist, (await readJson(dist, 'index.json')).changes)).files.removed.length
    }
    expect(removed).toBeGreaterThan(10)
    await prune({ outFolder: dist, keep: 1, dryRun: false, onPlan() {} })
    const left = Object.entries(await filesOf(join(dist, 'data')))
    // The sentence index is only for proxies, like the tables.
    const json = left.filter(([path]) => path.endsWith('.json'))
    expect(await filesOf(join(mirror, 'data'))).toEqual(Object.fromEntries(json))
  },
)

/** Checks that each word has as many clips as its files contain, all of them in service. */
async function expectListsToAgree(tree: string): Promise<void> {
  const { en } = (await readJson(tree, 'index.json')).languages
  const live = new Set((await linesOf<ClipLine>(tree, en.clips)).map(({ clipId }) => clipId))
  for (const { lists, clipCount } of await linesOf<WordLine>(tree, en.words)) {
    const pages = await Promise.all(lists.map(({ path }) => readJson(tree, path)))
    const clipIds = pages.flatMap(({ items }) => (items as { clip: string }[]).map((item) => item.clip))
    expect(new Set(clipIds).size).toBe(clipCount)
    expect(clipIds).toHaveLength(clipCount)
    expect(clipIds.filter((clipId) => !live.has(clipId))).toEqual([])
  }
}

test('the index has one line for each record, words by id and clips by ordinal, and names only files within the limits', async () => {
  const folder = tempFolder()
  await buildNights(folder, [{ clips: [clip('b'), clip('a')] }])
  const dist = join(folder, 'dist')
  const { release, builtAt, corpus, changes, languages } = await readJson(dist, 'index.json')
  expect({ release, builtAt }).toEqual({
    release: (await readJson(dist, 'current.json')).release,
    builtAt: '2026-03-01T12:00:00.000Z',
  })
  expect(changes).toBe(`releases/${release}/changes.json`)
  const files = await filesOf(dist)
  expect(Object.keys(files)).toEqual(expect.arrayContaining([corpus, ...languages.en.words]))
  const text = files[languages.en.words[0]]!
  expect(text).toMatch(/^\{"items": \[\n(\{.*\},\n)*\{.*\}\n\]\}\n$/)
  const words = await linesOf<WordLine>(dist, languages.en.words)
  expect(words.map(({ wordId }) => wordId)).toEqual([1, 2, 3])
  expect(words[2]).toEqual({
    wordId: 3,
    word: 'moon',
    level: 'A1',
    meanings: { en: 'what moon means' },
    forms: [],
    clipCount: 0,
    lists: [],
  })
  const [first] = await linesOf<ClipLine>(dist, languages.en.clips)
  expect(first).toEqual({
    clipId: expect.any(String),
    videoId: 'b',
    title: 'About b',
    level: 'A1',
    durationS: 10,
    channel: { id: 'ch', name: 'Channel' },
    record: `data/clips/${first!.clipId}.json`,
    transcript: `data/transcripts/${first!.clipId}.json`,
  })
})

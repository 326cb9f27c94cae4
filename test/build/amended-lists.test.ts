import { join } from 'node:path'
import { expect, test } from 'vitest'
import { namedFiles, openNamingTables } from '#release/named-files.ts'
import { openRelease, readCurrent, type Release } from '#release/release.ts'
import { folderTree } from '#release/tree.ts'
import { diffReleases } from '#tree/diff-releases.ts'
import { verifyRelease } from '#tree/verify.ts'
import { Chance } from '../harness/chance.ts'
import { itemsOf, wordsOf } from '../harness/opened.ts'
import { startService } from '../harness/service.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import type { SourceClip } from '../model/source.ts'
import { buildTree, clip, corpus, readJson, word } from './small-corpus.ts'

const nights = 12
const clipsAtFirst = 150

/** A clip with few levels, shares and counts, so that many are as hard as others. */
function someClip(videoId: string, chance: Chance): SourceClip {
  const said = Array.from({ length: 1 + chance.below(3) }, () => chance.pick(['cat', 'cats', 'moon', 'runs']))
  return clip(videoId, `${said.join(' ')}.`, { level: chance.pick(['A1', 'B2']) })
}

/**
 * The sources of some nights: each brings a few clips, takes a few away, alters one and brings back
 * one that was gone.
 */
function sources(seed: number): SourceClip[][] {
  const chance = new Chance(seed)
  let named = 0
  const gone: SourceClip[] = []
  let clips = Array.from({ length: clipsAtFirst }, () => someClip(`v${named++}`, chance))
  return Array.from({ length: nights }, (_, night) => {
    if (night > 0) {
      for (let left = chance.below(4); left > 0; left--)
        gone.push(...clips.splice(chance.below(clips.length), 1))
      const at = chance.below(clips.length)
      clips[at] = someClip(clips[at]!.videoId, chance)
      clips.push(...Array.from({ length: chance.below(4) }, () => someClip(`v${named++}`, chance)))
      if (gone.length > 0 && chance.below(2) === 0) clips.push(gone.shift()!)
    }
    clips = [...clips]
    return clips
  })
}

async function open(dist: string): Promise<Release> {
  const tree = folderTree(dist)
  return await openRelease(tree, await readCurrent(tree))
}

/** The lists of all words, item by item. */
async function listsOf(release: Release): Promise<Record<string, string[]>> {
  const lists: Record<string, string[]> = {}
  for (const { word, wordId, clipCount } of wordsOf(release, 'en'))
    lists[word] = clipCount === 0 ? [] : await itemsOf(release, wordId, 0, clipCount)
  return lists
}

test.each([1, 2, 3])(
  'lists that are amended night after night are those made at once (seed %i)',
  async (seed) => {
    const folder = tempFolder()
    const dist = join(folder, 'dist')
    let [amended, anew] = [0, 0]
    for (const [night, clips] of sources(seed).entries()) {
      const source = join(folder, `night-${night}`)
      await writeSourceFolder(source, corpus(clips))
      await buildTree(source, dist, { replace: 'all' })
      await buildTree(source, join(folder, `anew-${night}`))
      const release = await open(dist)
      const [found, wanted] = [
        await listsOf(release),
        await listsOf(await open(join(folder, `anew-${night}`))),
      ]
      expect(found).toEqual(wanted)
      for (const { word, wordId, list } of wordsOf(release, 'en')) {
        const whole = wanted[word]!
        for (let start = 0; start < whole.length; start += 7)
          expect(await itemsOf(release, wordId, start, Math.min(start + 11, whole.length))).toEqual(
            whole.slice(start, start + 11),
          )
        if (list?.since) amended++
        else anew++
      }
      const faults: unknown[] = []
      await verifyRelease(dist, release.manifest.release, {
        onFault: (fault) => faults.push(fault),
        onProgress: () => {},
      })
      expect(faults).toEqual([])
    }
    expect(amended).toBeGreaterThan(nights)
    expect(anew).toBeGreaterThan(3)
  },
)

test('a list that is amended keeps its pages, and only what is later is written', async () => {
  const folder = tempFolder()
  const dist = join(folder, 'dist')
  const many = Array.from({ length: 64 }, (_, i) => clip(`v${i}`))
  const pages = async (clips: SourceClip[]) => {
    const source = join(folder, `source-${clips.length}`)
    await writeSourceFolder(source, corpus(clips))
    const { release } = await buildTree(source, dist)
    const named = [...namedFiles(await openNamingTables(folderTree(dist), release))]
    return named.filter((path) => path.startsWith('data/words/en/1.'))
  }
  const first = await pages(many)
  expect(first).toHaveLength(1)
  const second = await pages([...many, clip('new')])
  expect(second).toEqual([...first, expect.stringMatching(/^data\/words\/en\/1\.[0-9a-f]{16}\.json$/)])
  const third = await pages([...many, clip('new'), clip('newer')])
  expect(third).toEqual([...first, expect.stringMatching(/^data\/words\/en\/1\.[0-9a-f]{16}\.json$/)])
  expect(third[1]).not.toBe(second[1])
  // With what came gone again, the list is its pages alone.
  expect(await pages(many)).toEqual(first)
})

test('a word is changed between two releases where its items are others, however they are laid out', async () => {
  const folder = tempFolder()
  const dist = join(folder, 'dist')
  const many = Array.from({ length: 64 }, (_, i) => clip(`v${i}`))
  const moons = [clip('moon', 'The moon.'), clip('other', 'The moon.')]
  for (const [night, clips] of [
    [...many, moons[0]!],
    [...many, ...moons, clip('new')],
    [...many, moons[0]!],
  ].entries()) {
    const source = join(folder, `night-${night}`)
    await writeSourceFolder(source, corpus(clips))
    await buildTree(source, dist)
  }
  const changed = async (from: string, to: string) => (await diffReleases(dist, from, to)).words.changed
  expect(await changed('1', '2')).toEqual([1, 2, 3])
  expect(await changed('2', '3')).toEqual([1, 2, 3])
  expect(await changed('1', '3')).toEqual([])
})

test('a clip that is published anew in another language changes the words of both', async () => {
  const folder = tempFolder()
  const dist = join(folder, 'dist')
  const catalogues = { en: [word(1, 'cat'), word(2, 'moon')], fr: [word(7, 'chat'), word(8, 'lune')] }
  const french = (videoId: string, text: string) => clip(videoId, text, { language: 'fr' })
  const others = [clip('a', 'cat'), french('x', 'chat'), french('y', 'chat')]
  for (const [night, moved] of [clip('m', 'moon'), french('m', 'lune')].entries()) {
    await writeSourceFolder(join(folder, `${night}`), { catalogues, forms: {}, clips: [...others, moved] })
    await buildTree(join(folder, `${night}`), dist, { replace: 'all', maxShrink: 1 })
  }
  const told = await readJson(dist, 'releases', await readCurrent(folderTree(dist)), 'changes.json')
  expect(told.words).toEqual({ added: [], changed: [2, 8], withdrawn: [] })
  expect((await diffReleases(dist, '1', '2')).words).toEqual(told.words)
})

test('of a base of which many neighbours are gone, only what is left is read', async () => {
  const folder = tempFolder()
  const dist = join(folder, 'dist')
  const level = (from: number, to: number, rank: 'A1' | 'A2' | 'B1') =>
    Array.from({ length: to - from }, (_, i) => clip(`v${from + i}`, 'cat', { level: rank }))
  const [easy, middle, hard] = [level(0, 250, 'A1'), level(250, 300, 'A2'), level(300, 900, 'B1')]
  for (const [night, clips] of [
    [...easy, ...middle, ...hard],
    [...easy, ...hard],
  ].entries()) {
    await writeSourceFolder(join(folder, `${night}`), corpus(clips))
    await buildTree(join(folder, `${night}`), dist)
  }
  const { words } = await open(dist)
  expect(words.list(words.find(1))!.since?.gone).toHaveLength(50)
  const cut = words.cut(words.find(1), 240, 260)
  expect(cut.base.map(({ count }) => count)).toEqual([10, 10])
  expect(cut.gone).toHaveLength(0)
})

test('pages of an amended list over HTTP are those of one made at once, whatever the limit and the levels', async () => {
  const [first, last] = [sources(4)[0]!, sources(4).at(-1)!]
  const folders = { night: tempFolder(), anew: tempFolder() }
  await writeSourceFolder(join(folders.night, 'first'), corpus(first))
  await writeSourceFolder(join(folders.night, 'last'), corpus([...first.slice(3), ...last.slice(-5)]))
  const night = await startService({ folder: folders.night, corpusFolder: join(folders.night, 'first') })
  await night.build(join(folders.night, 'last'), { replace: 'all' })
  await night.refresh()
  const anew = await startService({ folder: folders.anew, corpusFolder: join(folders.night, 'last') })
  try {
    const release = await open(join(folders.night, 'dist'))
    expect(wordsOf(release, 'en').some(({ list }) => list?.since)).toBe(true)
    for (const query of ['limit=100', 'limit=7', 'limit=7&level=B2', 'limit=1&level=A1', 'level=A1,B2']) {
      const [walked, wanted] = [await walk(night, query), await walk(anew, query)]
      expect(walked.length).toBeGreaterThan(20)
      expect(walked).toEqual(wanted)
    }
  } finally {
    await night.stop()
    await anew.stop()
  }
})

interface Served {
  newKey(): Promise<string>
  get(path: string, options: { key: string }): Promise<{ json: any }>
}

/** All items of a word's list, page by page; what a build says of its own time is left out. */
async function walk(service: Served, query: string): Promise<unknown[]> {
  const key = await service.newKey()
  const items: unknown[] = []
  let cursor = ''
  do {
    const { json } = await service.get(`/words/cat/clips?${query}${cursor}`, { key })
    items.push(...json.items)
    cursor = json.nextCursor === null ? '' : `&cursor=${json.nextCursor}`
  } while (cursor !== '')
  return items
}

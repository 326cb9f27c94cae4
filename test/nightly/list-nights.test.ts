import { join } from 'node:path'
import { expect, test } from 'vitest'
import { namedFiles, openNamingTables } from '#release/named-files.ts'
import { readCurrent } from '#release/release.ts'
import { FolderTree } from '#release/tree.ts'
import { diffReleases } from '#tree/changes.ts'
import { faultsOf } from '../harness/faults-of.ts'
import { Chance } from '../harness/chance.ts'
import { shareOf } from '../harness/fault-rounds.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import type { SourceClip } from '../model/source.ts'
import { buildNights } from './few-nights.ts'
import { buildTree, clip, corpus, readJson, word } from './small-corpus.ts'

const nights = 6
const clipsAtFirst = 150

/** Generates a clip with few levels, shares and counts, so that many are equally hard. */
function someClip(videoId: string, chance: Chance): SourceClip {
  const said = Array.from({ length: 1 + chance.below(3) }, () => chance.pick(['cat', 'cats', 'moon', 'runs']))
  return clip(videoId, `${said.join(' ')}.`, { level: chance.pick(['A1', 'B2']) })
}

/**
 * Generates the clips of some nights. Each adds a few clips, removes a few, changes one and
 * restores one.
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

/** Returns the pages of all lists of the release in service. */
async function pagesOf(dist: string): Promise<string[]> {
  const tree = new FolderTree(dist)
  const named = [...namedFiles(await openNamingTables(tree, await readCurrent(tree)))]
  return named.filter((path) => path.startsWith('data/words/'))
}

const seeds = shareOf([1, 2])

test.each(seeds)('the lists of any night equal lists made from scratch (seed %i)', async (seed) => {
  const folder = tempFolder()
  const dist = join(folder, 'dist')
  for (const [night, clips] of sources(seed).entries()) {
    const source = join(folder, `night-${night}`)
    await writeSourceFolder(source, corpus(clips))
    const { release } = await buildTree(source, dist, { replace: 'all' })
    await buildTree(source, join(folder, `from-nothing-${night}`))
    expect(await pagesOf(dist)).toEqual(await pagesOf(join(folder, `from-nothing-${night}`)))
    expect(await faultsOf(dist, release)).toEqual([])
  }
})

test('adding a clip changes one page of a list, and removing it restores the old page', async () => {
  const folder = tempFolder()
  const dist = join(folder, 'dist')
  const many = Array.from({ length: 1_500 }, (_, i) => clip(`v${i}`))
  const pages = async (clips: SourceClip[]) => {
    const source = join(folder, `source-${clips.length}`)
    await writeSourceFolder(source, corpus(clips))
    await buildTree(source, dist)
    return (await pagesOf(dist)).filter((path) => path.startsWith('data/words/en/1.'))
  }
  const first = await pages(many)
  expect(first.length).toBeGreaterThan(5)
  const second = await pages([...many, clip('new')])
  expect(first.filter((path) => !second.includes(path)).length).toBe(1)
  expect(await pages(many)).toEqual(first)
})

test('a word changes between two releases if its items differ', async () => {
  const folder = tempFolder()
  const dist = join(folder, 'dist')
  const many = Array.from({ length: 64 }, (_, i) => clip(`v${i}`))
  const moons = [clip('moon', 'The moon.'), clip('other', 'The moon.')]
  await buildNights(folder, [
    { clips: [...many, moons[0]!] },
    { clips: [...many, ...moons, clip('new')] },
    { clips: [...many, moons[0]!] },
  ])
  const changed = async (from: string, to: string) =>
    (await diffReleases(dist, from, to)).changes.words.changed
  expect(await changed('1', '2')).toEqual([1, 2, 3])
  expect(await changed('2', '3')).toEqual([1, 2, 3])
  expect(await changed('1', '3')).toEqual([])
})

test('replacing a clip by one in another language changes the words of both', async () => {
  const folder = tempFolder()
  const dist = join(folder, 'dist')
  const catalogues = { en: [word(1, 'cat'), word(2, 'moon')], fr: [word(7, 'chat'), word(8, 'lune')] }
  const french = (videoId: string, text: string) => clip(videoId, text, { language: 'fr' })
  const others = [clip('a', 'cat'), french('x', 'chat'), french('y', 'chat')]
  for (const [night, moved] of [clip('m', 'moon'), french('m', 'lune')].entries()) {
    await writeSourceFolder(join(folder, `${night}`), { catalogues, forms: {}, clips: [...others, moved] })
    await buildTree(join(folder, `${night}`), dist, { replace: 'all', maxShrink: 1 })
  }
  const told = await readJson(dist, 'releases', await readCurrent(new FolderTree(dist)), 'changes.json')
  expect(told.words).toEqual({ added: [], changed: [2, 8], withdrawn: [] })
  expect((await diffReleases(dist, '1', '2')).changes.words).toEqual(told.words)
})

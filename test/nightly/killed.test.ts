import { cp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openRelease, readCurrent } from '#release/release.ts'
import { FolderTree, MissingFile } from '#release/tree.ts'
import { dieAtStep } from '../harness/die-at-step.ts'
import { faultsOf } from '../harness/faults-of.ts'
import { longTest, shareOf } from '../harness/fault-rounds.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { readLedger } from '../harness/ledger.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import {
  buildTree,
  catalogue,
  clip,
  clips,
  corpus,
  epochS,
  filesOf,
  longClips,
  readJson,
  word,
} from './small-corpus.ts'
import { clipOf, clipsOf, itemsOf, wordsOf } from '../harness/opened.ts'

/** Runs the build and kills it at a step of the file system. */
function runBuild(src: string, dist: string, step: number): ReturnType<typeof dieAtStep> {
  const args = ['build', '--corpus', src, '--out', dist, '--replace-changed', '--no-site']
  return dieAtStep(args, step, { SOURCE_DATE_EPOCH: String(epochS) })
}

/** Checks that everything in service exists and is undamaged. */
async function expectWhole(dist: string): Promise<void> {
  const tree = new FolderTree(dist)
  const id = await readCurrent(tree).catch((error) => {
    if (error instanceof MissingFile) return null
    throw error
  })
  if (id === null) return
  const release = await openRelease(tree, id)
  expect(await faultsOf(dist, id)).toEqual([])
  for (const { wordId, clipCount } of wordsOf(release, 'en'))
    expect(await itemsOf(release, wordId, 0, clipCount)).toHaveLength(clipCount)
  const files = clipsOf(release, 'en').flatMap((row) => (row ? [row.record, row.transcript] : []))
  for (const file of files) await release.read(file)
}

/** Returns random steps (seeded), and the last ones, in which the release is published. */
function moments(steps: number, atChance: number, last: number): number[] {
  let state = 20_260_301
  const next = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
  const chosen = Array.from({ length: atChance }, () => Math.floor(next() * steps))
  return [...new Set([...chosen, ...Array.from({ length: last }, (_, i) => steps - 1 - i)])]
}

/** Runs two at a time. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values()
  const worker = async () => {
    for (const item of queue) await work(item)
  }
  await Promise.all([worker(), worker()])
}

const nights = [
  { night: 'by threads', first: longClips(60), words: catalogue },
  { night: 'with long lists', first: clips(40), words: catalogue },
  { night: 'with new words', first: clips(6), words: [...catalogue, word(9, 'the')] },
]
test.each(shareOf(nights))(
  'a nightly build $night, killed at any moment, leaves the release whole, and the next one builds the tree that it would have built',
  async ({ first, words }) => {
    const folder = tempFolder()
    const at = (name: string) => join(folder, name)
    await writeSourceFolder(at('first'), corpus(first))
    const added = clip('new', 'A cat and a moon.')
    const changed = clip('v1', 'The moon and a cat.')
    const second = [first[0]!, changed, added, ...first.slice(3)]
    await writeSourceFolder(at('second'), corpus(second, words))
    await buildTree(at('first'), at('before'))
    const night = { replace: 'all' as const }
    await cp(at('before'), at('undisturbed'), { recursive: true })
    expect(await buildTree(at('second'), at('undisturbed'), night)).toMatchObject({ changed: 3 })
    const undisturbed = await filesOf(at('undisturbed'))

    await cp(at('before'), at('counted'), { recursive: true })
    const { steps } = await runBuild(at('second'), at('counted'), Infinity)
    expect(await filesOf(at('counted'))).toEqual(undisturbed)
    expect(steps).toBeGreaterThan(20)

    await each(shareOf(moments(steps, 3, 5)), async (step) => {
      const dist = at(`killed-${step}`)
      await cp(at('before'), dist, { recursive: true })
      const { signal } = await runBuild(at('second'), dist, step)
      expect(signal, `step ${step}`).toBe('SIGKILL')
      await expectWhole(dist)
      await buildTree(at('second'), dist, night)
      expect(await filesOf(dist), `step ${step}`).toEqual(undisturbed)
    })
  },
)

test('a first build killed at any moment publishes nothing or all, and the next one publishes it', async () => {
  const folder = tempFolder()
  const at = (name: string) => join(folder, name)
  await writeSourceFolder(at('src'), corpus(clips(3)))
  const { steps } = await runBuild(at('src'), at('undisturbed'), Infinity)
  // Every tree has a different id.
  const files = async (dist: string) => {
    const { tree } = await readJson(
      dist,
      'releases',
      await readCurrent(new FolderTree(dist)),
      'manifest.json',
    )
    const text = JSON.stringify(await filesOf(dist)).replaceAll(tree, '<tree>')
    // The digest of the manifest, which contains the tree's id.
    return text.replace(/\\"digest\\": \\"[0-9a-f]{64}(?=\\"\\n\})/, '')
  }
  const undisturbed = await files(at('undisturbed'))
  await each(shareOf(moments(steps, 2, 4)), async (step) => {
    const dist = at(`killed-${step}`)
    expect((await runBuild(at('src'), dist, step)).signal).toBe('SIGKILL')
    await expectWhole(dist)
    await buildTree(at('src'), dist)
    expect(await files(dist), `step ${step}`).toBe(undisturbed)
  })
})

longTest('after a killed build, another source may be built, and nothing interferes', async () => {
  const folder = tempFolder()
  const [one, other, dist] = [join(folder, 'one'), join(folder, 'other'), join(folder, 'dist')]
  await writeSourceFolder(one, corpus(clips(3)))
  await writeSourceFolder(other, corpus([clip('x'), clip('y')]))
  const killedAt = async (step: number) => {
    await rm(dist, { recursive: true, force: true })
    return await runBuild(one, dist, step)
  }
  const { steps } = await killedAt(Infinity)
  // Finds the last step before the ledger contains the release. The release's folder exists then.
  let [last, next] = [0, steps]
  while (next - last > 1) {
    const middle = (last + next) >> 1
    await killedAt(middle)
    if (readLedger(dist) === null) last = middle
    else next = middle
  }
  await killedAt(last)
  expect(await readdir(join(dist, 'releases'))).toHaveLength(1)
  const { release, changed } = await buildTree(other, dist)
  expect(changed).toBe(2)
  expect(Object.keys(await filesOf(join(dist, 'releases'))).every((name) => name.startsWith(release))).toBe(
    true,
  )
  expect(clipOf(await openRelease(new FolderTree(dist), release), 'v0')).toBeUndefined()
})

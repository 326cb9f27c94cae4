import { mkdir, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { clipIdOf } from '#corpus/source-clip.ts'
import { rollback } from '#tree/rollback.ts'
import { shareOf } from '../harness/fault-rounds.ts'
import { faultsOf } from '../harness/faults-of.ts'
import { flipBit } from '../harness/flip-bit.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { loseState, readLedger } from '../harness/ledger.ts'
import { Nights } from './nights.ts'
import { catalogue, clip, clips, corpus, word, writeFiles } from './small-corpus.ts'

const nights = new Nights()

/** Returns the only page of the clips of "cat". */
async function pageOfCat(): Promise<string> {
  const names = await readdir(join(nights.dist, 'data/words/en'))
  return join(nights.dist, `data/words/en/${names.find((name) => name.startsWith('1.'))}`)
}

test.each(['cut in half', 'altered', 'missing'])('rewrites a page of clips that is %s', async (damage) => {
  await nights.build(clips(20))
  const page = await pageOfCat()
  const text = await readFile(page, 'utf8')
  if (damage === 'missing') await rm(page)
  else await writeFile(page, damage === 'altered' ? text.replace('cat', 'dog') : text.slice(0, 700))
  const { release, clips: count } = await nights.build([...clips(20), clip('new', 'The moon.')])
  expect(count).toBe(21)
  expect(await faultsOf(nights.dist, release)).toEqual([])
})

test.each(['cut in half', 'missing'])('the next build rewrites an index file that is %s', async (damage) => {
  await nights.build([...clips(20), clip('Vhola', 'Hola.', { language: 'es' })])
  const folder = join(nights.dist, 'data/sentences/en')
  const part = (await readdir(folder)).find((name) => name.endsWith('.1.bin'))!
  if (damage === 'missing') await rm(join(folder, part))
  else await truncate(join(folder, part), 10)
  const { release } = await nights.build(clips(20))
  expect(await faultsOf(nights.dist, release)).toEqual([])
})

test('rewrites a page of clips that a lost build left empty, as after a power cut', async () => {
  const { release } = await nights.build(clips(5))
  const page = await pageOfCat()
  await rm(nights.dist, { recursive: true })
  await writeFiles(nights.dist, { [page.slice(nights.dist.length + 1)]: '' })
  expect((await nights.build(clips(5))).release).toBe(release)
  expect(await faultsOf(nights.dist, release)).toEqual([])
})

test.each(['_headers', 'index.json', 'current.json'])(
  'a build that fails while it writes %s leaves no unpublished file',
  async (file) => {
    const { release } = await nights.build(clips(5))
    const inTheWay = join(nights.dist, `${file}.${process.pid}.tmp`)
    const onProgress = ({ step }: { step: string }) => void (step === 'sync' && mkdir(inTheWay))
    await expect(nights.build([...clips(5), clip('x')], { onProgress })).rejects.toMatchObject({
      code: expect.stringContaining('EISDIR'),
    })
    expect(await nights.json('current.json')).toEqual({ release })
    const again = await nights.build(clips(5))
    const { release: current } = await nights.json('current.json')
    expect(readLedger(nights.dist)!.release).toBe(current)
    expect(again.release).toBe(current)
    const kept = (await readdir(join(nights.dist, 'releases'))).sort()
    expect(kept.at(-1)).toBe(current)
    for (const id of kept) expect(await faultsOf(nights.dist, id)).toEqual([])
  },
)

test('without current.json, restores the release that the state names', async () => {
  const { release } = await nights.build(clips(5))
  await rm(join(nights.dist, 'current.json'))
  expect(await nights.build(clips(5))).toMatchObject({ release, isNew: false })
  expect(await nights.json('current.json')).toEqual({ release })
})

test('a damaged file is reported for the clip that it holds now, not for an earlier one', async () => {
  await writeSourceFolder(nights.src, corpus(clips(12)))
  await nights.write({ 'clips/f.json': JSON.stringify(clip('x')), 'clips/g.json': JSON.stringify(clip('y')) })
  await nights.again()
  await rm(join(nights.src, 'clips/g.json'))
  await nights.write({ 'clips/f.json': JSON.stringify(clip('y')) })
  await nights.again()
  await nights.write({ 'clips/f.json': '' })
  const { kept, clips: count } = await nights.again()
  expect(kept.map(({ clipId }) => clipId)).toEqual([clipIdOf({ videoId: 'y' })])
  expect(count).toBe(13)
})

test('with neither a ledger nor a readable manifest, no name is used twice', async () => {
  const { release } = await nights.build(clips(4))
  const published = await nights.files('data/clips')
  loseState(nights.dist)
  await writeFile(join(nights.dist, 'releases', release, 'manifest.json'), '{')
  const again = await nights.build([clip('v0', 'The moon.'), ...clips(4).slice(1)], { newTree: true })
  expect(again.release).toMatch(/^000002-/)
  expect(await nights.files('data/clips')).toMatchObject(published)
})

/** Ways to damage a file; the last one keeps its size and its times. */
const damages: Record<string, (path: string) => Promise<void>> = {
  lost: (path) => rm(path),
  'cut in half': async (path) => truncate(path, (await stat(path)).size >> 1),
  altered: async (path) => {
    const { atime, mtime } = await stat(path)
    flipBit(path, 0.5)
    await utimes(path, atime, mtime)
  },
}
const record = `data/clips/${clipIdOf({ videoId: 'v1' })}.json`
const transcript = record.replace('clips', 'transcripts')

describe.each(shareOf(Object.entries(damages)))('a file that is %s is rewritten', (kind, damage) => {
  test.each(['the same', 'another'])('by a build of %s source', async (source) => {
    const { release } = await nights.build(clips(4))
    const before = await nights.files('data')
    const { corpus: coverage, index } = await nights.json(`releases/${release}/manifest.json`)
    const parts = await readdir(join(nights.dist, 'data/sentences/en'))
    const segment = parts.map((name) => `data/sentences/en/${name}`)
    const page = (await pageOfCat()).slice(nights.dist.length + 1)
    const paths = [record, transcript, page, coverage, ...index.en.words, ...index.en.clips, ...segment]
    // In one case, each alone, because the build of one file may repair another; elsewhere all at
    // once.
    for (const group of kind === 'lost' ? paths.map((path) => [path]) : [paths]) {
      for (const path of group) await damage(join(nights.dist, path))
      const next = await nights.build(source === 'another' ? [...clips(4), clip('new')] : clips(4))
      // A segment of the sentence index is reported once, whichever of its files are damaged.
      const names = group.length === 1 ? group : group.filter((path) => !path.endsWith('.1.bin'))
      expect(new Set(next.warnings.map(({ file }) => file))).toEqual(new Set(names))
      expect(next.warnings).toHaveLength(names.length)
      expect(next.isNew).toBe(source === 'another')
      expect(await faultsOf(nights.dist, next.release), group.join()).toEqual([])
      if (source === 'another') await nights.build(clips(4))
      else expect(await nights.files('data')).toEqual(before)
    }
    expect(await nights.build(clips(4))).toMatchObject({ isNew: false, warnings: [] })
  })

  test.each(['spellings.bin', 'words.bin', 'manifest.json', 'changes.json'])(
    'if it is %s, in a new release',
    async (file) => {
      const { release } = await nights.build(clips(4))
      await damage(join(nights.dist, 'releases', release, file))
      await damage(join(nights.dist, transcript))
      const next = await nights.build(clips(4))
      expect(next).toMatchObject({ isNew: true, changed: 0 })
      expect(next.warnings.map(({ file }) => file).sort()).toEqual([transcript, `releases/${release}`])
      expect(await faultsOf(nights.dist, next.release)).toEqual([])
    },
  )

  test('or named if that is impossible, and nothing is published', async () => {
    const { release } = await nights.build(clips(4))
    const path = join(nights.dist, transcript)
    const text = await readFile(path)
    await damage(path)
    const { clipId } = JSON.parse(text.toString()) as { clipId: string }
    const advice = `or publish a new version of the clip (--replace ${clipId})`
    const lost = (cause: string) => `"${transcript}" is lost or damaged and cannot be written again: ${cause}`
    const invalid = { ...clip('v1'), durationS: -1 }
    for (const [source, cause] of [
      [corpus(clips(4), [...catalogue, word(9, 'the')]), 'the catalogue or the rules have changed since'],
      [corpus([clip('v0'), clip('v1', 'The moon.'), ...clips(4).slice(2)]), 'its source differs'],
      [corpus([clip('v0'), invalid, ...clips(4).slice(2)]), 'its source is not valid'],
    ] as const) {
      const failure = nights.build(source)
      await expect(failure).rejects.toThrow(lost(cause))
      await expect(failure).rejects.toThrow(advice)
      expect(await nights.release()).toBe(release)
    }
    await nights.build(corpus(clips(4), [...catalogue, word(9, 'the')]), { replace: new Set([clipId]) })
    expect(await faultsOf(nights.dist, await nights.release())).toEqual([])
  })
})

describe('a release that a rollback keeps in service', () => {
  /** Makes a release, and another one without the first version of v1; then goes back. */
  async function rollBack(): Promise<string> {
    const { release } = await nights.build(clips(4))
    await nights.build([clip('v0'), clip('v1', 'The moon.'), ...clips(4).slice(2)], { replace: 'all' })
    await rollback(nights.dist)
    return release
  }

  test('has a lost record rewritten, which the last release does not have', async () => {
    const release = await rollBack()
    await rm(join(nights.dist, record))
    const { warnings } = await nights.again()
    expect(warnings.map(({ file }) => file)).toEqual([record])
    expect(await faultsOf(nights.dist, release)).toEqual([])
    expect(await nights.again()).toMatchObject({ heldRelease: release, warnings: [] })
  })

  test.each(['lost', 'altered'])('has a transcript that is %s named, and the build fails', async (kind) => {
    await rollBack()
    await damages[kind]!(join(nights.dist, transcript))
    for (let night = 0; night < 2; night++)
      await expect(nights.again()).rejects.toThrow(`"${transcript}" is lost or damaged`)
  })
})

test('the pointers and the rules for CDNs are rewritten', async () => {
  await nights.build(clips(4))
  const before = await nights.files()
  for (const file of ['index.json', '_headers']) {
    await rm(join(nights.dist, file))
    await nights.build(clips(4))
    expect(await nights.files()).toEqual(before)
  }
})

test('names a record that is lost together with the table of clips, and replaces it as advised', async () => {
  const { release } = await nights.build(clips(4))
  await rm(join(nights.dist, record))
  await rm(join(nights.dist, 'releases', release, 'clips.bin'))
  await expect(nights.build(clips(4))).rejects.toThrow(
    `"${record}" is lost or damaged and cannot be written again`,
  )
  const { release: next } = await nights.again({ replace: new Set([clipIdOf({ videoId: 'v1' })]) })
  expect(await faultsOf(nights.dist, next)).toEqual([])
})

describe.each(Object.entries(damages))('a clip that returns with a file that is %s', (_, damage) => {
  const others = clips(9).filter(({ videoId }) => videoId !== 'v1')

  test('has its transcript rewritten', async () => {
    await nights.build(clips(9))
    const before = await nights.files('data/transcripts')
    await nights.build(others)
    await damage(join(nights.dist, transcript))
    const { release } = await nights.build(clips(9))
    expect(await faultsOf(nights.dist, release)).toEqual([])
    expect(await nights.files('data/transcripts')).toEqual(before)
  })

  test('has its record named, and is replaced as advised', async () => {
    await nights.build(clips(9))
    await nights.build(others)
    await damage(join(nights.dist, record))
    const clipId = clipIdOf({ videoId: 'v1' })
    await expect(nights.build(clips(9))).rejects.toThrow(
      `"${record}" is lost or damaged and cannot be written again: the clip was withdrawn. Copy the file`,
    )
    const { release } = await nights.again({ replace: new Set([clipId]) })
    expect(await faultsOf(nights.dist, release)).toEqual([])
    expect((await nights.json(`data/clips/${clipId}.2.json`)).clipId).toBe(clipId)
  })
})

import { mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clipIdOf } from '#corpus/source-clip.ts'
import { faultsOf } from '../harness/faults-of.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { loseState, readLedger } from '../harness/ledger.ts'
import { Nights } from './nights.ts'
import { catalogue, clip, clips, corpus, word, writeFiles } from './small-corpus.ts'

const nights = new Nights()

/** The only page of the clips of "cat". */
async function pageOfCat(): Promise<string> {
  const names = await readdir(join(nights.dist, 'data/words/en'))
  return join(
    nights.dist,
    'data/words/en',
    names.find((name) => name.startsWith('1.'))!,
  )
}

test.each(['cut in half', 'altered', 'missing'])(
  'a page of clips that is %s is written again',
  async (damage) => {
    await nights.build(clips(20))
    const page = await pageOfCat()
    const text = await readFile(page, 'utf8')
    if (damage === 'missing') await rm(page)
    else await writeFile(page, damage === 'altered' ? text.replace('cat', 'dog') : text.slice(0, 700))
    const { release, clips: count } = await nights.build([...clips(20), clip('new', 'The moon.')])
    expect(count).toBe(21)
    expect(await faultsOf(nights.dist, release)).toEqual([])
  },
)

test.each(['cut in half', 'missing'])(
  'if a part of the sentence index is %s, the next build writes it again',
  async (damage) => {
    await nights.build([...clips(20), clip('Vhola', 'Hola.', { language: 'es' })])
    const folder = join(nights.dist, 'data/sentences/en')
    const part = (await readdir(folder)).find((name) => name.endsWith('.1.bin'))!
    if (damage === 'missing') await rm(join(folder, part))
    else await truncate(join(folder, part), 10)
    const { release } = await nights.build(clips(20))
    expect(await faultsOf(nights.dist, release)).toEqual([])
  },
)

test('a name that is there with other bytes, as after a power cut, gets its own', async () => {
  const { release } = await nights.build(clips(5))
  const page = await pageOfCat()
  await rm(nights.dist, { recursive: true })
  await writeFiles(nights.dist, { [page.slice(nights.dist.length + 1)]: '' })
  expect((await nights.build(clips(5))).release).toBe(release)
  expect(await faultsOf(nights.dist, release)).toEqual([])
})

test.each(['_headers', 'index.json', 'current.json'])(
  'a build that fails at writing %s leaves nothing that was not published',
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

test('without current.json the release that the state tells is in service again', async () => {
  const { release } = await nights.build(clips(5))
  await rm(join(nights.dist, 'current.json'))
  expect(await nights.build(clips(5))).toMatchObject({ release, isNew: false })
  expect(await nights.json('current.json')).toEqual({ release })
})

test('a spoilt file speaks of the clip that stands in it now, not of one that once stood there', async () => {
  await writeSourceFolder(nights.src, corpus(clips(12)))
  await nights.write({
    'clips/f.json': JSON.stringify(clip('x')),
    'clips/g.json': JSON.stringify(clip('y')),
  })
  await nights.again()
  await rm(join(nights.src, 'clips/g.json'))
  await nights.write({ 'clips/f.json': JSON.stringify(clip('y')) })
  await nights.again()
  await nights.write({ 'clips/f.json': '' })
  const { kept, clips: count } = await nights.again()
  expect(kept.map(({ clipId }) => clipId)).toEqual([clipIdOf({ videoId: 'y' })])
  expect(count).toBe(13)
})

test('with neither ledger nor a manifest that can be read, no name is given again', async () => {
  const { release } = await nights.build(clips(4))
  const published = await nights.files('data/clips')
  loseState(nights.dist)
  await writeFile(join(nights.dist, 'releases', release, 'manifest.json'), '{')
  const again = await nights.build([clip('v0', 'The moon.'), ...clips(4).slice(1)], { newTree: true })
  expect(again.release).toMatch(/^000002-/)
  expect(await nights.files('data/clips')).toMatchObject(published)
})

test('a damaged record is named where it is needed', async () => {
  await nights.build(clips(4))
  const path = `data/transcripts/${clipIdOf({ videoId: 'v1' })}.json`
  await writeFile(
    join(nights.dist, path),
    (await readFile(join(nights.dist, path), 'utf8')).replace('cat', 'dog'),
  )
  await expect(nights.build(corpus(clips(4), [...catalogue, word(9, 'the')]))).rejects.toThrow(
    `cannot index "${path}"`,
  )
  expect(await nights.build(clips(4))).toMatchObject({ isNew: false })
})

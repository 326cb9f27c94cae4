import { writeFileSync } from 'node:fs'
import { appendFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { BuildOptions } from '#nightly/build-options.ts'
import { clipIdOf } from '#corpus/source-clip.ts'
import { transcriptPath } from '#release/paths.ts'
import type { SourceClip } from '../model/source.ts'
import { longTest } from '../harness/fault-rounds.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { Nights } from './nights.ts'
import { buildTree, catalogue, clip, corpus, filesOf, word, writeFiles } from './small-corpus.ts'

const nights = new Nights({ reproducible: true })

/** Two threads for any amount of work. */
const byThreads = { threads: 2, threadMinBytes: 0 }
const alone = { threads: 0 }

function manyClips(count: number): SourceClip[] {
  const texts = ['The cat runs.', 'A moon. The cats ran.', 'Nothing to see.', 'Run, cat, run!']
  return Array.from({ length: count }, (_, i) =>
    clip(`v${i}`, texts[i % texts.length]!, { level: i % 3 === 0 ? 'A1' : 'B1' }),
  )
}

/** Writes clips as the lines of one file. */
async function writeLines(lines: readonly string[], between = '\n'): Promise<void> {
  await nights.write({
    'catalogue/en.jsonl': `${JSON.stringify(catalogue[0])}\n`,
    'clips/all.jsonl': lines.join(between) + between,
  })
}

test('threads build the same tree, byte for byte, from scratch and night after night', async () => {
  const other = tempFolder()
  for (const night of [
    corpus(manyClips(60)),
    corpus([...manyClips(52).slice(3), clip('new', 'A moon and a cat.')]),
    corpus(manyClips(54), [...catalogue, word(9, 'the', { forms: ['a'] })]),
  ]) {
    const summary = await nights.build(night, { replace: 'all', ...byThreads })
    const options = { replace: 'all' as const, reproducible: true, ...alone }
    expect(await buildTree(nights.src, other, options)).toEqual(summary)
    expect(await filesOf(other)).toEqual(await nights.files())
  }
})

test('numbers the lines of a long file as in the file, whichever thread reads them', async () => {
  const lines = manyClips(400).map((each) => JSON.stringify({ ...each, title: 'x'.repeat(8_000) }))
  lines[300] = '{"videoId":"broken"'
  lines.splice(100, 0, '', '  ')
  await writeLines(lines, '\r\n')
  const { rejected, clips } = await nights.again(byThreads)
  expect(clips).toBe(399)
  expect(rejected.map(({ file, line }) => `${file}:${line}`)).toEqual(['clips/all.jsonl:303'])
})

test('reads a file again that has grown, and treats only its new lines as new', async () => {
  await writeLines(manyClips(5).map((each) => JSON.stringify(each)))
  await nights.again()
  await appendFile(join(nights.src, 'clips/all.jsonl'), `${JSON.stringify(clip('late'))}\n`)
  expect(await nights.again()).toMatchObject({ clips: 6, changed: 1, kept: [], isNew: true })
})

async function alter(cache: string, sql: string): Promise<void> {
  using db = new DatabaseSync(cache)
  db.exec(sql)
}

test('a cached segment belongs to its range', async () => {
  const spanish = (count: number) =>
    Array.from({ length: count }, (_, i) => clip(`es${i}`, 'Sol.', { language: 'es' }))
  await nights.build([...manyClips(3), ...spanish(1)])
  await nights.build([...manyClips(3), ...spanish(2)], { segmentOrdinals: 1 })
  const { sentences } = await nights.open()
  expect(sentences.get('en')!.map(({ entry }) => entry.clips)).toEqual([1, 1, 1])
})

longTest('the cache may be deleted or damaged: the build gives the same result', async () => {
  const losses: ((cache: string) => Promise<void>)[] = [
    async () => {},
    (cache) => rm(cache),
    (cache) => writeFile(cache, 'nonsense'.repeat(200)),
    (cache) => alter(cache, 'PRAGMA user_version = 99'),
    (cache) => alter(cache, 'UPDATE groups SET packed = zeroblob(length(packed))'),
  ]
  const trees: Record<string, string>[] = []
  for (const lose of losses) {
    await rm(nights.dist, { recursive: true, force: true })
    // The first 64 are a group of the cache that the second night does not change.
    await nights.build(manyClips(70))
    await lose(join(nights.dist, '.build/cache.sqlite'))
    expect(await nights.build(manyClips(73))).toMatchObject({ changed: 3, kept: [] })
    trees.push(await nights.files())
  }
  for (const tree of trees) expect(tree).toEqual(trees[0])
})

longTest('reads no source while sizes, times, rules and options are the same as the last night', async () => {
  const steps: string[] = []
  const run = (more: Partial<BuildOptions> = {}) => {
    steps.length = 0
    return nights.again({ onProgress: ({ step }) => void steps.push(step), ...more })
  }
  await nights.build([...manyClips(10), clip('long', 'x', { durationS: 999 })])
  // A file that has just changed may change again without getting a new modification time.
  const settledMs = 2_100
  await new Promise((resolve) => setTimeout(resolve, settledMs))
  const first = await run()
  expect(steps).toContain('read')
  expect(await run()).toEqual({ ...first, isNew: false })
  expect(steps).toEqual([])
  await run({ replace: 'all' })
  expect(steps).toContain('read')
  await run({ analysers: false })
  expect(steps).toContain('read')
  await rm(join(nights.src, 'clips/0010.json'))
  expect(await run()).toMatchObject({ rejected: [] })
})

test('publishes a source file that changes during the build as it was read', async () => {
  const write = (text: string) =>
    writeFileSync(join(nights.src, 'clips/one.jsonl'), `${JSON.stringify(clip('one', text))}\n`)
  const transcript = async () => (await nights.json(transcriptPath(clipIdOf({ videoId: 'one' }), 1))).cues[0]
  const onProgress = ({ step }: { step: string }) => {
    if (step === 'read') write('The cat!!')
  }
  await nights.build(manyClips(3))
  write('The moon – “là”.')
  expect(await nights.again({ ...alone, onProgress })).toMatchObject({ clips: 4, changed: 1 })
  expect(await transcript()).toMatchObject({ text: 'The moon – “là”.' })
  expect(await nights.again()).toMatchObject({ changed: 0, kept: [{ clipId: clipIdOf({ videoId: 'one' }) }] })
})

test('a fault in a thread ends the build with the reason, and leaves the tree unchanged', async () => {
  const { release } = await nights.build(manyClips(30))
  const inTheWay = `data/transcripts/${clipIdOf({ videoId: 'new' })}.json`
  await writeFiles(nights.dist, { [`${inTheWay}/file`]: '' })
  const clips = [...manyClips(30), clip('new', 'A moon.')]
  await expect(nights.build(clips, byThreads)).rejects.toMatchObject({ code: 'EISDIR' })
  await rm(join(nights.dist, inTheWay), { recursive: true })
  expect(await nights.release()).toBe(release)
  expect(await nights.again(byThreads)).toMatchObject({ clips: 31, changed: 1 })
})

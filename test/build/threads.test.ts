import { writeFileSync } from 'node:fs'
import { appendFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { BuildOptions } from '#build/build-options.ts'
import { BuildStopped } from '#build/build-stopped.ts'
import { clipIdOf } from '#corpus/source-clip.ts'
import type { SourceClip } from '../model/source.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { buildTree, catalogue, clip, corpus, filesOf, readJson, word, writeFiles } from './small-corpus.ts'

/** Two threads, whatever the amount. */
const byThreads = { threads: 2, threadMinBytes: 0, reproducible: true }
const alone = { threads: 0, reproducible: true }

function manyClips(count: number): SourceClip[] {
  const texts = ['The cat runs.', 'A moon. The cats ran.', 'Nothing to see.', 'Run, cat, run!']
  return Array.from({ length: count }, (_, i) =>
    clip(`v${i}`, texts[i % texts.length]!, { level: i % 3 === 0 ? 'A1' : 'B1' }),
  )
}

test('threads come to the same tree, byte for byte, from nothing and night after night', async () => {
  const folder = tempFolder()
  const [src, one, other] = ['src', 'one', 'other'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const nights = [
    corpus(manyClips(700)),
    corpus([...manyClips(650).slice(3), clip('new', 'A moon and a cat.')]),
    corpus(manyClips(660), [...catalogue, word(9, 'the', { forms: ['a'] })]),
  ]
  for (const night of nights) {
    await rm(src, { recursive: true, force: true })
    await writeSourceFolder(src, night)
    const options = { replace: 'all' as const }
    const summary = await buildTree(src, one, { ...options, ...byThreads })
    expect(await buildTree(src, other, { ...options, ...alone })).toEqual(summary)
    expect(await filesOf(one)).toEqual(await filesOf(other))
  }
})

test('lines of a long file are numbered as in the file, whichever thread reads them', async () => {
  const folder = tempFolder()
  const [src, dist] = [join(folder, 'src'), join(folder, 'dist')]
  await writeFiles(src, { 'catalogue/en.jsonl': `${JSON.stringify(catalogue[0])}\n` })
  const lines = manyClips(400).map((each) => JSON.stringify({ ...each, title: 'x'.repeat(8_000) }))
  lines[300] = '{"videoId":"broken"'
  lines.splice(100, 0, '', '  ')
  await writeFiles(src, { 'clips/all.jsonl': lines.join('\r\n') })
  const { problems, clips } = await buildTree(src, dist, byThreads)
  expect(clips).toBe(399)
  expect(problems.map(({ file, line }) => `${file}:${line}`)).toEqual(['clips/all.jsonl:303'])
})

test('a file that grew is read again, and of its lines only the new ones are taken for new', async () => {
  const folder = tempFolder()
  const [src, dist] = [join(folder, 'src'), join(folder, 'dist')]
  await writeFiles(src, { 'catalogue/en.jsonl': `${JSON.stringify(catalogue[0])}\n` })
  await writeFiles(src, {
    'clips/all.jsonl': manyClips(5)
      .map((each) => `${JSON.stringify(each)}\n`)
      .join(''),
  })
  await buildTree(src, dist)
  await appendFile(join(src, 'clips/all.jsonl'), `${JSON.stringify(clip('late'))}\n`)
  expect(await buildTree(src, dist)).toMatchObject({ clips: 6, changed: 1, kept: 0, isNew: true })
})

test('the cache may be deleted or damaged: the night comes to the same', async () => {
  const folder = tempFolder()
  const losses: Record<string, (cache: string) => Promise<void>> = {
    kept: async () => {},
    deleted: (cache) => rm(cache),
    damaged: (cache) => writeFile(cache, 'nonsense'.repeat(200)),
    'of another version': async (cache) => {
      const db = new DatabaseSync(cache)
      db.exec('PRAGMA user_version = 99')
      db.close()
    },
  }
  const trees: Record<string, string>[] = []
  for (const [name, lose] of Object.entries(losses)) {
    const [src, dist] = [join(folder, `${name}-src`), join(folder, name)]
    await writeSourceFolder(src, corpus(manyClips(20)))
    await buildTree(src, dist, { reproducible: true })
    await lose(join(dist, '.build/cache.sqlite'))
    await writeSourceFolder(src, corpus(manyClips(23)))
    expect(await buildTree(src, dist, { reproducible: true })).toMatchObject({ changed: 3, kept: 0 })
    trees.push(await filesOf(dist))
  }
  for (const tree of trees) expect(tree).toEqual(trees[0])
})

test('the source is not read while sizes, times, rules and options are those of the last night', async () => {
  const folder = tempFolder()
  const [src, dist] = [join(folder, 'src'), join(folder, 'dist')]
  await writeSourceFolder(src, corpus([...manyClips(10), clip('long', 'x', { durationS: 999 })]))
  const steps: string[] = []
  const run = (more: Partial<BuildOptions> = {}) => {
    steps.length = 0
    return buildTree(src, dist, { onProgress: ({ step }) => void steps.push(step), ...more })
  }
  // A file that has just changed may change again without a change of its times.
  await run()
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
  await rm(join(src, 'clips/0010.json'))
  expect(await run()).toMatchObject({ rejected: 0 })
})

test('a source file that changes while the build runs stops it, and nothing is published', async () => {
  const folder = tempFolder()
  const [src, dist] = [join(folder, 'src'), join(folder, 'dist')]
  const write = (text: string) =>
    writeFileSync(join(src, 'clips/one.jsonl'), `${JSON.stringify(clip('one', text))}\n`)
  await writeSourceFolder(src, corpus(manyClips(3)))
  write('The cat runs.')
  await buildTree(src, dist)
  const before = await filesOf(dist)
  write('The moon.')
  const onProgress = ({ step }: { step: string }) => {
    if (step === 'read') write('The cat!!')
  }
  const night = buildTree(src, dist, { ...alone, replace: 'all', onProgress })
  await expect(night).rejects.toThrow(
    new BuildStopped('"clips/one.jsonl" changed while it was read: nothing was published'),
  )
  expect(await filesOf(dist)).toEqual(before)
  expect(await buildTree(src, dist, { replace: 'all' })).toMatchObject({ clips: 4, changed: 1 })
})

test('a fault in a thread ends the build with its reason, and the tree stays', async () => {
  const folder = tempFolder()
  const [src, dist] = [join(folder, 'src'), join(folder, 'dist')]
  await writeSourceFolder(src, corpus(manyClips(30)))
  await buildTree(src, dist)
  const before = await filesOf(dist)
  await writeSourceFolder(src, corpus([...manyClips(30), clip('new', 'A moon.')]))
  const inTheWay = `data/transcripts/${clipIdOf({ videoId: 'new' })}.json`
  await writeFiles(dist, { [`${inTheWay}/file`]: '' })
  await expect(buildTree(src, dist, byThreads)).rejects.toMatchObject({ code: 'EISDIR' })
  await rm(join(dist, inTheWay), { recursive: true })
  expect(await readJson(dist, 'current.json')).toEqual(JSON.parse(before['current.json']!))
  expect(await buildTree(src, dist, byThreads)).toMatchObject({ clips: 31, changed: 1 })
})

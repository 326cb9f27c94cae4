import { writeFileSync } from 'node:fs'
import { appendFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BuildStopped } from '#build/build-stopped.ts'
import { clipIdOf } from '#corpus/clip-id.ts'
import type { SourceClip } from '../model/source.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { withState } from '../harness/ledger.ts'
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

test('lines of a long file are told by their numbers in it, whoever reads them', async () => {
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

test('what was read of the source may be forgotten: the night comes to the same', async () => {
  const folder = tempFolder()
  const [src, dist] = [join(folder, 'src'), join(folder, 'dist')]
  await writeSourceFolder(src, corpus(manyClips(20)))
  const { release } = await buildTree(src, dist)
  const textsOf = () => withState(dist, ({ db }) => db.prepare('SELECT * FROM texts').all())
  const whole = textsOf()
  expect(whole).toHaveLength(20)
  for (const loss of [
    'DELETE FROM texts; DELETE FROM files',
    'UPDATE reading SET version = 0',
    'DELETE FROM reading',
    "UPDATE files SET stamp = 'x'",
    "UPDATE texts SET raw = 'x'; UPDATE files SET stamp = 'x'",
  ]) {
    withState(dist, ({ db }) => db.exec(loss))
    expect(await buildTree(src, dist), loss).toMatchObject({ release, isNew: false, kept: 0, changed: 0 })
    expect(textsOf().map((row) => ({ ...row, fileId: 0 }))).toEqual(
      expect.arrayContaining(whole.map((row) => ({ ...row, fileId: 0 }))),
    )
  }
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

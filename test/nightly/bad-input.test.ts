import { execFileSync } from 'node:child_process'
import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { clipIdOf } from '#corpus/source-clip.ts'
import { formatProblem } from '#corpus/problem.ts'
import type { BuildOptions } from '#nightly/build-options.ts'
import { BuildStopped } from '#nightly/build-stopped.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { faultRounds, longTest } from '../harness/fault-rounds.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { Nights } from './nights.ts'
import { buildTree, clip, clips, corpus, filesOf, word } from './small-corpus.ts'
import { clipOf } from '../harness/opened.ts'

const one = [expect.anything()]

const nights = new Nights()

/** Writes the files and twenty valid clips, without which one bad file would stop the build. */
async function writeSource(files: Record<string, string | Uint8Array>, good = clips(20)): Promise<void> {
  await writeSourceFolder(nights.src, corpus(good))
  await nights.write(files)
}

/** Builds from the current source, and returns the rejected clips from the report. */
async function problemsOf(options: Partial<BuildOptions> = {}) {
  const summary = await nights.again(options)
  const { rejected } = await nights.json('.build/report.json')
  expect(rejected).toEqual(JSON.parse(JSON.stringify(summary.rejected)))
  return { ...summary, problems: summary.rejected.map(formatProblem) }
}

const text = (id: string, more: object = {}) => JSON.stringify({ ...clip(id), ...more })

test.each<[problem: string, content: string | Uint8Array]>([
  ['x.json:1: The record is not valid JSON: ', text('x').slice(0, 100)],
  ['x.json:1: The file is empty.', ''],
  ['x.jsonl:1: The file is empty.', '\n'],
  ['x.json:1: The record is not valid UTF-8', Uint8Array.of(0x7b, 0xff)],
  ['a/x.jsonl:2: level must be one of A1', `\n${text('x', { level: 'D1' })}`],
  ['x.json:1: videoId names video "v3", which already has a clip in clips/0003.json.', text('v3')],
  [
    'x.json:1: clipId is already the id of the clip of video "v3"',
    text('x', { clipId: clipIdOf({ videoId: 'v3' }) }),
  ],
])('a clip is rejected with file, line and field, and the others are built: %s', async (problem, content) => {
  await writeSource({ [`clips/${problem.split(':')[0]}`]: content })
  const problems = [expect.stringContaining(`clips/${problem}`)]
  expect(await problemsOf()).toMatchObject({ clips: 20, problems })
})

test('rejects what is not a regular file without waiting for it, even behind a link', async () => {
  await writeSource({}, clips(40))
  execFileSync('mkfifo', [join(nights.src, 'clips/pipe.json'), join(nights.src, 'pipe')])
  await symlink('../pipe', join(nights.src, 'clips/to-pipe.jsonl'))
  await symlink('/dev/zero', join(nights.src, 'clips/zero.json'))
  const files = ['clips/pipe.json', 'clips/to-pipe.jsonl', 'clips/zero.json']
  const problems = files.map((file) => `${file}:1: This is not a regular file.`)
  expect(await problemsOf()).toMatchObject({ clips: 40, problems })
  await symlink('/dev/zero', join(nights.src, 'catalogue/fr.jsonl'))
  await expect(nights.again()).rejects.toMatchObject({
    problems: [{ file: 'catalogue/fr.jsonl', reason: 'this is not a regular file' }],
  })
})

test('accepts BOM, CRLF and blank lines', async () => {
  await writeSource({
    'clips/x.json': '\uFEFF' + text('x'),
    'clips/y.jsonl': `\uFEFF${text('y')}\r\n\r\n${text('z')}\r\n`,
  })
  expect(await problemsOf()).toMatchObject({ clips: 23, problems: [] })
})

test('a truncated .jsonl file is rejected or gives fewer clips', async () => {
  const step = Math.ceil(50 / faultRounds(5))
  const whole = text('x', { title: 'Café 猫' })
  const bytes = Buffer.from(`${whole}\n${text('y')}\n`)
  const first = Buffer.byteLength(whole)
  await writeSource({})
  for (let end = 0; end < bytes.length; end += step) {
    await nights.write({ 'clips/x.jsonl': bytes.subarray(0, end) })
    const expected =
      end <= first - 1 ? [20, 1] : end <= first + 1 ? [21, 0] : end < bytes.length - 1 ? [21, 1] : [22, 0]
    const { clips, rejected } = await buildTree(nights.src, tempFolder())
    expect([clips, rejected.length], `cut at ${end}`).toEqual(expected)
  }
})

describe('two clips of one video', () => {
  const titleOf = async (videoId: string) => clipOf(await nights.open(), videoId)!.clip.title

  test('the first by path is built', async () => {
    await writeSource({
      'clips/z.json': text('x', { title: 'z' }),
      'clips/y.json': text('x', { title: 'y' }),
    })
    expect(await nights.again()).toMatchObject({ clips: 21, rejected: one })
    expect(await titleOf('x')).toBe('y')
  })

  test('the published one is built, even if another precedes it by path', async () => {
    await writeSource({ 'clips/z.jsonl': `${text('w')}\n${text('x', { title: 'z' })}` })
    await nights.again()
    await nights.write({ 'clips/y.json': text('x', { title: 'y' }) })
    const problems = ['clips/y.json:1: videoId names video "x", which already has a clip in clips/z.jsonl:2.']
    expect(await problemsOf({ replace: 'all' })).toMatchObject({ problems, kept: [] })
    expect(await titleOf('x')).toBe('z')
  })

  test('a published video under another clipId is rejected, and keeps its record', async () => {
    await writeSource({})
    await nights.again()
    await nights.write({ 'clips/0003.json': text('v3', { clipId: '00000000-0000-4000-8000-000000000000' }) })
    const clipId = clipIdOf({ videoId: 'v3' })
    const problems = [
      `clips/0003.json:1: clipId differs from ${clipId}, under which video "v3" is published.`,
    ]
    const kept = [{ clipId, reason: `its source is no longer valid: ${problems[0]}` }]
    expect(await problemsOf()).toMatchObject({ clips: 20, problems, kept })
  })

  test('a published clipId under another video is rejected, and keeps its record', async () => {
    const clipId = '00000000-0000-4000-8000-000000000000'
    await writeSource({ 'clips/x.json': text('x', { clipId }) })
    await nights.again()
    await nights.write({ 'clips/x.json': text('y', { clipId }) })
    const problems = ['clips/x.json:1: clipId is already the id of the clip of video "x".']
    expect(await problemsOf()).toMatchObject({ clips: 21, problems, kept: [{ clipId }] })
  })
})

describe('guards', () => {
  test('a missing catalogue stops the build and leaves the tree unchanged, unless everything may be removed', async () => {
    await writeSource({}, clips(10))
    await nights.again()
    const before = await nights.files()
    await rm(join(nights.src, 'catalogue'), { recursive: true })
    await expect(nights.again()).rejects.toThrow('the catalogue has no words left for en')
    await nights.write({ 'catalogue/en.jsonl': '' })
    await expect(nights.again()).rejects.toThrow('the catalogue has no words left for en')
    expect(await nights.files()).toEqual(before)
    expect(await nights.again({ maxShrink: 1 })).toMatchObject({ clips: 10, words: 0 })
  })

  test('refuses a folder that is not a corpus', async () => {
    const folder = tempFolder()
    const reason = 'there is no corpus folder'
    await expect(buildTree(join(folder, 'none'), join(folder, 'dist'))).rejects.toThrow(reason)
    await expect(buildTree(folder, join(folder, 'dist'))).rejects.toThrow(
      'it has neither catalogue/ nor clips/',
    )
    expect(await filesOf(folder)).toEqual({})
  })
})

test('a source file that cannot be read ends the build with its name, and the old release stays in service', async () => {
  await writeSource({})
  const { release } = await nights.again()
  await symlink('loop.json', join(nights.src, 'clips/loop.json'))
  await expect(nights.again()).rejects.toThrow(/ELOOP.*clips\/loop\.json/)
  expect(await nights.json('current.json')).toEqual({ release })
  await rm(join(nights.src, 'clips/loop.json'))
  expect(await nights.again()).toMatchObject({ release, isNew: false })
})

/** `a`, `a a`, `a a a`, …: each token starts as many runs as there are phrases. */
const phrasesOfA = (count: number) =>
  Array.from({ length: count }, (_, i) => word(100 + i, 'a '.repeat(i + 1).trim()))

test('headwords of more than 12 parts stop the build, and each is named with its line', async () => {
  await writeSourceFolder(nights.src, corpus(clips(20), phrasesOfA(500)))
  const stopped = await nights.again().catch((error: BuildStopped) => error)
  expect(stopped).toBeInstanceOf(BuildStopped)
  const problems = (stopped as BuildStopped).problems.map(formatProblem)
  expect(problems).toHaveLength(488)
  expect(problems[0]).toBe('catalogue/en.jsonl:13: word has 13 parts, but at most 12 are allowed.')
})

longTest('builds as much speech and as long phrases as the limits allow', async () => {
  const cues = Array.from({ length: 3 }, (_, i) => ({ tStart: i, tEnd: i + 1, text: 'a '.repeat(4_990) }))
  const { rejected } = await nights.build(corpus([clip('x', '', { cues })], phrasesOfA(12)))
  expect(rejected).toEqual([])
  expect(await nights.json(`data/clips/${clipIdOf({ videoId: 'x' })}.json`)).toMatchObject({ wordCount: 12 })
})

import { execFileSync } from 'node:child_process'
import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { clipIdOf } from '#corpus/source-clip.ts'
import { formatProblem } from '#corpus/problem.ts'
import { fixedClock } from '#kit/clock.ts'
import { BuildStopped } from '#build/build-stopped.ts'
import { folderTree } from '#release/tree.ts'
import { openRelease } from '#release/release.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { faultRounds } from '../harness/fault-rounds.ts'
import { loseState } from '../harness/ledger.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import type { SourceClip } from '../model/source.ts'
import {
  buildTree,
  clip,
  clips,
  corpus,
  epochS,
  filesOf,
  readJson,
  word,
  writeFiles,
} from './small-corpus.ts'
import { clipOf } from '../harness/opened.ts'

/** Twenty good clips, so that one bad file is no bad corpus, and the files given. */
async function sourceWith(files: Record<string, string | Uint8Array>, good: SourceClip[] = clips(20)) {
  const folder = tempFolder()
  const [src, dist] = [join(folder, 'src'), join(folder, 'dist')]
  await writeSourceFolder(src, corpus(good))
  await writeFiles(src, files)
  return { src, dist }
}

async function rejectedOf(files: Record<string, string | Uint8Array>) {
  const { src, dist } = await sourceWith(files)
  const { clips, rejected } = await buildTree(src, dist)
  const report = await readJson(dist, '.build/report.json')
  expect(report.rejected).toHaveLength(rejected)
  return { clips, problems: report.rejected.map(formatProblem) as string[], rejected: report.rejected }
}

const text = (id: string, more: object = {}) => JSON.stringify({ ...clip(id), ...more })

describe('a clip that is rejected is in the report with file, line and field, and the others are built', () => {
  test.each<[string, string, string | Uint8Array, string]>([
    ['cut in half', 'clips/x.json', text('x').slice(0, 100), 'clips/x.json:1: is not JSON: '],
    ['empty', 'clips/x.json', '', 'clips/x.json:1: is empty'],
    ['an empty .jsonl', 'clips/x.jsonl', '\n', 'clips/x.jsonl:1: is empty'],
    ['not UTF-8', 'clips/x.json', Uint8Array.of(0x7b, 0xff), 'clips/x.json:1: is not UTF-8'],
    [
      'an unknown level',
      'clips/a/x.jsonl',
      `\n${text('x', { level: 'D1' })}`,
      'clips/a/x.jsonl:2: level: must be one of A1',
    ],
    [
      'a lone surrogate',
      'clips/x.jsonl',
      `\n${text('x', { title: 'A \ud83d' })}`,
      'clips/x.jsonl:2: title: has a lone surrogate, U+D83D',
    ],
    [
      'NUL in what is said',
      'clips/x.json',
      text('x', { cues: [{ tStart: 0, tEnd: 1, text: 'a\0b' }] }),
      'clips/x.json:1: cues[0].text: holds the character U+0000',
    ],
    [
      'a cue of 20,000 tokens',
      'clips/x.json',
      text('x', { cues: [{ tStart: 0, tEnd: 1, text: 'a '.repeat(20_000) }] }),
      'clips/x.json:1: cues[0].text: is 40000 characters long: at most 10000 are allowed',
    ],
    ['over 180 s', 'clips/x.json', text('x', { durationS: 181 }), 'clips/x.json:1: durationS: is 181 s long'],
    [
      'a second clip of a video',
      'clips/x.json',
      text('v3'),
      'clips/x.json:1: videoId: video "v3" has a clip already, in clips/0003.json',
    ],
    [
      'the clipId of another',
      'clips/x.json',
      text('x', { clipId: clipIdOf({ videoId: 'v3' }) }),
      'clips/x.json:1: clipId: is the id of the clip of video "v3"',
    ],
  ])('%s', async (_, file, content, problem) => {
    const { clips, problems } = await rejectedOf({ [file]: content })
    expect({ clips, problems }).toEqual({ clips: 20, problems: [expect.stringContaining(problem)] })
  })
})

test('what is no regular file is rejected and not waited for, also behind a link', async () => {
  const { src, dist } = await sourceWith({}, clips(40))
  execFileSync('mkfifo', [join(src, 'clips/pipe.json'), join(src, 'pipe')])
  await symlink('../pipe', join(src, 'clips/to-pipe.jsonl'))
  await symlink('/dev/zero', join(src, 'clips/zero.json'))
  const { problems, clips: count } = await buildTree(src, dist)
  expect(count).toBe(40)
  expect(problems.map(formatProblem)).toEqual([
    'clips/pipe.json:1: is not a regular file',
    'clips/to-pipe.jsonl:1: is not a regular file',
    'clips/zero.json:1: is not a regular file',
  ])
  await symlink('/dev/zero', join(src, 'catalogue/fr.jsonl'))
  await expect(buildTree(src, dist)).rejects.toMatchObject({
    problems: [{ file: 'catalogue/fr.jsonl', reason: 'is not a regular file' }],
  })
})

test('BOM, CRLF and blank lines are fine', async () => {
  const files = {
    'clips/x.json': '\uFEFF' + text('x'),
    'clips/y.jsonl': `\uFEFF${text('y')}\r\n\r\n${text('z')}\r\n`,
  }
  expect(await rejectedOf(files)).toMatchObject({ clips: 23, problems: [] })
})

describe('a file cut anywhere is rejected or gives fewer clips', () => {
  const step = Math.ceil(50 / faultRounds(5))
  const whole = text('x', { title: 'Café 猫' })

  test('.json', async () => {
    const bytes = Buffer.from(whole)
    const { src, dist } = await sourceWith({})
    for (let end = 0; end < bytes.length; end += step) {
      await writeFiles(src, { 'clips/x.json': bytes.subarray(0, end) })
      expect(await buildTree(src, dist), `cut at ${end}`).toMatchObject({ clips: 20, rejected: 1 })
    }
  })

  test('.jsonl', async () => {
    const bytes = Buffer.from(`${whole}\n${text('y')}\n`)
    const first = Buffer.byteLength(whole)
    const { src } = await sourceWith({})
    for (let end = 0; end < bytes.length; end += step) {
      await writeFiles(src, { 'clips/x.jsonl': bytes.subarray(0, end) })
      const expected =
        end <= first - 1 ? [20, 1] : end <= first + 1 ? [21, 0] : end < bytes.length - 1 ? [21, 1] : [22, 0]
      const { clips, rejected } = await buildTree(src, tempFolder())
      expect([clips, rejected], `cut at ${end}`).toEqual(expected)
    }
  })
})

describe('two clips of one video', () => {
  const titleOf = async (dist: string, videoId: string) => {
    const tree = folderTree(dist)
    const { release } = await readJson(dist, 'current.json')
    return clipOf(await openRelease(tree, release), videoId)!.clip.title
  }

  test('the first by path wins', async () => {
    const { src, dist } = await sourceWith({
      'clips/z.json': text('x', { title: 'z' }),
      'clips/y.json': text('x', { title: 'y' }),
    })
    expect(await buildTree(src, dist)).toMatchObject({ clips: 21, rejected: 1 })
    expect(await titleOf(dist, 'x')).toBe('y')
  })

  test('the published one wins over one that comes before it by path', async () => {
    const { src, dist } = await sourceWith({ 'clips/z.json': text('x', { title: 'z' }) })
    await buildTree(src, dist)
    await writeFiles(src, { 'clips/y.json': text('x', { title: 'y' }) })
    const { problems, kept } = await buildTree(src, dist, { replace: 'all' })
    expect(problems.map(formatProblem)).toEqual([
      'clips/y.json:1: videoId: video "x" has a clip already, in clips/z.json',
    ])
    expect(kept).toBe(0)
    expect(await titleOf(dist, 'x')).toBe('z')
  })

  test('a published video under another clipId is rejected, and keeps its record', async () => {
    const { src, dist } = await sourceWith({})
    await buildTree(src, dist)
    await writeFiles(src, {
      'clips/0003.json': text('v3', { clipId: '00000000-0000-4000-8000-000000000000' }),
    })
    const { clips, problems, keptClips } = await buildTree(src, dist)
    const clipId = clipIdOf({ videoId: 'v3' })
    expect(clips).toBe(20)
    expect(problems.map(formatProblem)).toEqual([
      `clips/0003.json:1: clipId: video "v3" is published as clip ${clipId}`,
    ])
    expect(keptClips.map((kept) => kept.clipId)).toEqual([clipId])
  })

  test('a published clipId under another video is rejected, and keeps its record', async () => {
    const clipId = '00000000-0000-4000-8000-000000000000'
    const { src, dist } = await sourceWith({ 'clips/x.json': text('x', { clipId }) })
    await buildTree(src, dist)
    await writeFiles(src, { 'clips/x.json': text('y', { clipId }) })
    const { clips, problems, keptClips } = await buildTree(src, dist)
    expect(clips).toBe(21)
    expect(problems.map(formatProblem)).toEqual([
      'clips/x.json:1: clipId: is the id of the clip of video "x"',
    ])
    expect(keptClips.map((kept) => kept.clipId)).toEqual([clipId])
  })

  test('a new tree in the place of one whose ledger is lost has an id of its own, and no published name changes its bytes', async () => {
    const { src, dist } = await sourceWith({})
    const first = await buildTree(src, dist)
    const before = await filesOf(dist)
    const tree = JSON.parse(before[`releases/${first.release}/manifest.json`]!).tree
    loseState(dist)
    const second = await buildTree(src, dist, { newTree: true, clock: fixedClock(epochS + 86_400) })
    const after = await filesOf(dist)
    for (const [path, bytes] of Object.entries(before))
      if (path.startsWith('data/')) expect(after[path], path).toEqual(bytes)
    expect(second.release).toMatch(/^000002-/)
    expect(JSON.parse(after[`releases/${second.release}/manifest.json`]!).tree).not.toBe(tree)
    expect(Object.keys(after).filter((path) => /^data\/clips\/.*\.2\.json$/.test(path))).toHaveLength(
      first.clips,
    )
  })
})

describe('guards', () => {
  test('a catalogue that is gone stops the build and the tree stays, unless all may go', async () => {
    const { src, dist } = await sourceWith({}, clips(10))
    await buildTree(src, dist)
    const before = await filesOf(dist)
    await rm(join(src, 'catalogue'), { recursive: true })
    await expect(buildTree(src, dist)).rejects.toThrow('the catalogue has no words left for en')
    await writeFiles(src, { 'catalogue/en.jsonl': '' })
    await expect(buildTree(src, dist)).rejects.toThrow('the catalogue has no words left for en')
    expect(await filesOf(dist)).toEqual(before)
    expect(await buildTree(src, dist, { maxShrink: 1 })).toMatchObject({ clips: 10, words: 0 })
  })

  test('a folder that is no corpus is refused', async () => {
    const folder = tempFolder()
    await expect(buildTree(join(folder, 'none'), join(folder, 'dist'))).rejects.toThrow(
      'there is no corpus folder',
    )
    await expect(buildTree(folder, join(folder, 'dist'))).rejects.toThrow(
      'it has neither catalogue/ nor clips/',
    )
    expect(await filesOf(folder)).toEqual({})
  })
})

test('a source file that cannot be read ends the build with its name, and the old release stays', async () => {
  const { src, dist } = await sourceWith({})
  const { release } = await buildTree(src, dist)
  await symlink('loop.json', join(src, 'clips/loop.json'))
  await expect(buildTree(src, dist)).rejects.toThrow(/ELOOP.*clips\/loop\.json/)
  expect(await readJson(dist, 'current.json')).toEqual({ release })
  await rm(join(src, 'clips/loop.json'))
  expect(await buildTree(src, dist)).toMatchObject({ release, isNew: false })
})

/** `a`, `a a`, `a a a`, …: each token begins as many runs as there are of them. */
const phrasesOfA = (count: number) =>
  Array.from({ length: count }, (_, i) =>
    word(
      100 + i,
      Array(i + 1)
        .fill('a')
        .join(' '),
    ),
  )

test('headwords of more than 12 parts stop the build, each with its line', async () => {
  const { src, dist } = await sourceWith({
    'catalogue/en.jsonl': phrasesOfA(500)
      .map((each) => `${JSON.stringify(each)}\n`)
      .join(''),
  })
  const stopped = await buildTree(src, dist).catch((error: BuildStopped) => error)
  expect(stopped).toBeInstanceOf(BuildStopped)
  const problems = (stopped as BuildStopped).problems.map(formatProblem)
  expect(problems).toHaveLength(488)
  expect(problems[0]).toBe('catalogue/en.jsonl:13: word: has 13 parts: at most 12 are allowed')
})

test('as much speech and as long phrases as are allowed are built', async () => {
  const cues = Array.from({ length: 3 }, (_, i) => ({ tStart: i, tEnd: i + 1, text: 'a '.repeat(4_990) }))
  const { src, dist } = await sourceWith({
    'catalogue/en.jsonl': phrasesOfA(12)
      .map((each) => `${JSON.stringify(each)}\n`)
      .join(''),
    'clips/x.json': text('x', { cues }),
  })
  expect((await buildTree(src, dist)).rejected).toBe(0)
  expect(await readJson(dist, 'data/clips', `${clipIdOf({ videoId: 'x' })}.json`)).toMatchObject({
    wordCount: 12,
  })
})

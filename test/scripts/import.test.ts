import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const door = join(import.meta.dirname, '../../scripts/clip-lookup.ts')
const fixtures = join(import.meta.dirname, '../fixtures/subtitles')
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'import-command-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Runs `import` as a user who stands in the folder. */
function run(...args: string[]) {
  const { CLIP_LOOKUP_LEVEL: _, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, [door, 'import', ...args], {
    encoding: 'utf8',
    env: { ...env, INIT_CWD: folder },
  })
  return { status, stdout, stderr }
}

test('imports a folder, with paths from where the user stands', () => {
  cpSync(fixtures, join(folder, 'subtitles'), { recursive: true })
  const { status, stdout, stderr } = run(
    'subtitles',
    '--corpus',
    'my corpus',
    '--language',
    'en',
    '--level',
    'B1',
  )
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
  expect(stderr).toContain('subtitles/refused/empty.srt: is empty\n')
  expect(stderr).toMatch(
    /\n6 imported, 1 skipped, 5 rejected; \d+ of \d+ cues \(dropped: 2 × no text\); mended: /,
  )
  expect(existsSync(join(folder, 'my corpus/clips/en/b4keryRolls.json'))).toBe(true)
})

test('--json prints the counts and what became of each file', () => {
  const { status, stdout } = run(
    join(fixtures, 'refused/empty.srt'),
    join(fixtures, 'market.SRT'),
    '--corpus',
    'c',
    '--language',
    'en',
    '--json',
  )
  expect(status).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    imported: 1,
    skipped: 0,
    rejected: 1,
    unchanged: 0,
    cues: { in: 4, out: 3, dropped: { 'no text': 1 } },
    files: [
      { file: join(fixtures, 'refused/empty.srt'), outcome: 'rejected', reason: 'is empty' },
      { outcome: 'imported', videoId: 'market_1', format: 'srt', encoding: 'utf-8' },
    ],
  })
})

test('flags describe a single file, and go before its sidecar', () => {
  const args = [
    '--corpus',
    'c',
    '--language',
    'en',
    '--level',
    'C1',
    '--title',
    'Cherries!',
    '--channel-name',
    'Markets',
    '--duration',
    '7',
  ]
  expect(run(join(fixtures, 'market.SRT'), ...args, '--video-id', '-x', '--channel-id', 'm')).toMatchObject({
    status: 0,
  })
  expect(JSON.parse(readFileSync(join(folder, 'c/clips/en/-x.json'), 'utf8'))).toMatchObject({
    videoId: '-x',
    title: 'Cherries!',
    level: 'C1',
    durationS: 7,
    channel: { id: 'm', name: 'Markets' },
  })
})

test('exits 1 when every file is refused, when none is found, and when the corpus cannot be written', () => {
  writeFileSync(join(folder, 'file'), '')
  const rest = ['--language', 'en', '--level', 'B1']
  expect(run(join(fixtures, 'refused'), '--corpus', 'c', ...rest)).toMatchObject({ status: 1 })
  expect(existsSync(join(folder, 'c'))).toBe(false)
  expect(run(folder, '--corpus', 'c', ...rest)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('no subtitle file in'),
  })
  expect(run(join(fixtures, 'market.SRT'), '--corpus', 'file', ...rest)).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^cannot write the corpus .*file: [^\n]*\n$/),
  })
})

test.each([
  [['--corpus', 'c', '--language', 'en'], 'missing <path>'],
  [['a.srt', '--corpus', 'c'], 'missing --language'],
  [['a.srt', '--language', 'en'], 'missing --corpus'],
  [['a.srt', '--corpus', 'c', '--language', 'english'], '--language must be two letters a-z, got "english"'],
  [['a.srt', '--corpus', 'c', '--language', 'en', '--level', 'B3'], '--level must be one of A1'],
  [['a.srt', '--corpus', 'c', '--language', 'en', '--duration', '9.5'], '--duration must be a whole number'],
  [['a.srt', '--corpus', 'c', '--language', 'en', '--video-id', 'a b'], '--video-id must be 1 to 64'],
  [
    ['a.srt', 'b.srt', '--corpus', 'c', '--language', 'en', '--title', 'T'],
    '--title describe one video, got 2 subtitle files',
  ],
])('%j is a usage error', (args, message) => {
  const { status, stderr } = run(...args)
  expect(stderr).toContain(message)
  expect(status).toBe(2)
})

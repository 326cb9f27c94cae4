import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { tempFolder } from '../harness/temp-folder.ts'
import { run as runCommand } from '../harness/command.ts'

const fixtures = join(import.meta.dirname, '../fixtures/subtitles')
let folder: string

beforeEach(() => void (folder = tempFolder()))

const run = (...args: string[]) => runCommand(folder, ['import', ...args])

test('imports a folder, with paths from where the user stands', async () => {
  cpSync(fixtures, join(folder, 'subtitles'), { recursive: true })
  const { code, stdout, stderr } = await run(
    'subtitles',
    '--corpus',
    'my corpus',
    '--language',
    'en',
    '--level',
    'B1',
  )
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
  expect(stderr).toContain('subtitles/refused/empty.srt: is empty\n')
  expect(stderr).toMatch(
    /\n6 imported, 1 skipped, 5 rejected; \d+ of \d+ cues \(dropped: 2 × no text\); repaired: /,
  )
  expect(existsSync(join(folder, 'my corpus/clips/en/b4keryRolls.json'))).toBe(true)
})

test('--json prints the counts and what became of each file', async () => {
  const { code, stdout } = await run(
    join(fixtures, 'refused/empty.srt'),
    join(fixtures, 'market.SRT'),
    '--corpus',
    'c',
    '--language',
    'en',
    '--json',
  )
  expect(code).toBe(0)
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

test('flags describe a single file, and go before its sidecar', async () => {
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
  expect(
    await run(join(fixtures, 'market.SRT'), ...args, '--video-id', '-x', '--channel-id', 'm'),
  ).toMatchObject({
    code: 0,
  })
  expect(JSON.parse(readFileSync(join(folder, 'c/clips/en/-x.json'), 'utf8'))).toMatchObject({
    videoId: '-x',
    title: 'Cherries!',
    level: 'C1',
    durationS: 7,
    channel: { id: 'm', name: 'Markets' },
  })
})

test('exits 1 when every file is refused, when none is found, and when the corpus cannot be written', async () => {
  writeFileSync(join(folder, 'file'), '')
  const rest = ['--language', 'en', '--level', 'B1']
  expect(await run(join(fixtures, 'refused'), '--corpus', 'c', ...rest)).toMatchObject({ code: 1 })
  expect(existsSync(join(folder, 'c'))).toBe(false)
  expect(await run(folder, '--corpus', 'c', ...rest)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no subtitle files in'),
  })
  expect(await run(join(fixtures, 'market.SRT'), '--corpus', 'file', ...rest)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^cannot write the corpus .*file: [^\n]*\n$/),
  })
})

test('a report is cut, rejected files first, and --max-rejected allows exactly its share', async () => {
  const text = readFileSync(join(fixtures, 'market.SRT'))
  mkdirSync(join(folder, 'many'))
  for (let i = 0; i < 50; i++) writeFileSync(join(folder, 'many', `A trip [v${i}].srt`), i < 21 ? text : '')
  const about = ['--name-pattern', '{title} [{videoId}]', '--channel-id', 'ann', '--channel-name', 'Ann']
  const args = ['many', '--corpus', 'c', '--language', 'en', '--level', 'B1', ...about, '--max-rejected']
  const { code, stderr } = await run(...args, '58%')
  const lines = stderr.split('\n')
  const [, file] = /^… and 30 more; all 50 are in (.+)$/m.exec(stderr)!
  expect([code, lines.findIndex((line) => !line.startsWith('rejected'))]).toEqual([0, 20])
  expect(readFileSync(file!, 'utf8').match(/^imported/gm)).toHaveLength(21)
  expect(await run(...args, '28%')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('29 of 50 files were rejected, more than 28% (--max-rejected)'),
  })
})

test.each([
  [['--corpus', 'c', '--language', 'en'], 'missing <path>'],
  [
    ['a.srt', '--corpus', 'c', '--language', 'en', '--max-rejected', '1'],
    '--max-rejected must be a percentage',
  ],
  [['a.srt', '--corpus', 'c'], 'missing --language'],
  [['a.srt', '--language', 'en'], 'missing --corpus'],
  [['a.srt', '--corpus', 'c', '--language', 'english'], '--language must be two letters a-z, got "english"'],
  [['a.srt', '--corpus', 'c', '--language', 'en', '--level', 'B3'], '--level must be one of A1'],
  [['a.srt', '--corpus', 'c', '--language', 'en', '--duration', '9.5'], '--duration must be a whole number'],
  [['a.srt', '--corpus', 'c', '--language', 'en', '--video-id', 'a b'], '--video-id must be 1 to 64'],
  [
    ['a.srt', 'b.srt', '--corpus', 'c', '--language', 'en', '--title', 'T'],
    '--title: allowed only with a single subtitle file, got 2',
  ],
])('%j is a usage error', async (args, message) => {
  const { code, stderr } = await run(...args)
  expect(stderr).toContain(message)
  expect(code).toBe(2)
})

test('a name with escape sequences or line feeds does not reach the terminal as it is', async () => {
  const name = 'a\u001b[2J\nimported  b.srt'
  cpSync(join(fixtures, 'refused/empty.srt'), join(folder, `${name}.srt`))
  const { stderr } = await run('.', '--corpus', 'corpus', '--language', 'en')
  expect(stderr).toContain('rejected  a\\u001b[2J\\u000aimported  b.srt.srt: is empty\n')
  expect(stderr).not.toContain('\u001b')
  const missing = await run('--corpus', 'corpus', '--language', 'en', '--metadata', `${name}.csv`, '.')
  expect(missing.stderr).not.toContain('\nimported')
  expect(missing.stderr).not.toContain('\u001b')
})

test('warns of a language without analyser, and says what installs one', async () => {
  const args = ['--corpus', 'c', '--level', 'B1', '--language']
  expect((await run(join(fixtures, 'market.SRT'), ...args, 'fo')).stderr).toContain(
    'warning: fo: words are matched by their headwords and listed forms only: "npm install --save-exact dictionary-fo"',
  )
  expect((await run(join(fixtures, 'market.SRT'), ...args, 'en')).stderr).not.toContain('warning')
})

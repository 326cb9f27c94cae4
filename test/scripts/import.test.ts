import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { tempFolder } from '../harness/temp-folder.ts'
import { failure, run as runCommand } from '../harness/command.ts'

const fixtures = join(import.meta.dirname, '../fixtures/subtitles')
let folder: string

beforeEach(() => void (folder = tempFolder()))

/** Imports with arguments that are separated by blanks, and others that contain blanks. */
const run = (args: string, ...more: string[]) => runCommand(folder, ['import', ...args.split(' '), ...more])
const corpusInEnglish = '--corpus c --language en'

test('imports a folder, with paths relative to the user’s folder', async () => {
  cpSync(fixtures, join(folder, 'subtitles'), { recursive: true })
  const { code, stdout, stderr } = await run('subtitles --language en --level B1 --corpus', 'my corpus')
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
  expect(stderr).toContain('subtitles/refused/empty.srt is empty.\n')
  const expected = /\n6 imported, 1 skipped, 5 rejected; \d+ of \d+ cues \(dropped: 2 × no text\); repaired: /
  expect(stderr).toMatch(expected)
  expect(existsSync(join(folder, 'my corpus/clips/en/b4keryRolls.json'))).toBe(true)
})

test('--json prints the counts and the result for each file', async () => {
  const files = [join(fixtures, 'refused/empty.srt'), join(fixtures, 'market.SRT')]
  const { code, stdout } = await run(`--json ${corpusInEnglish}`, ...files)
  expect(code).toBe(0)
  const counts = { imported: 1, skipped: 0, rejected: 1, unchanged: 0 }
  expect(JSON.parse(stdout)).toMatchObject({
    ...counts,
    cues: { in: 4, out: 3, dropped: { 'no text': 1 } },
    files: [
      { file: join(fixtures, 'refused/empty.srt'), outcome: 'rejected', reason: 'is empty' },
      { outcome: 'imported', videoId: 'market_1', format: 'srt', encoding: 'utf-8' },
    ],
  })
})

test('flags describe a single file, and take precedence over its sidecar', async () => {
  const names = '--title Cherries! --channel-id m --channel-name Markets'
  const args = `${corpusInEnglish} --level C1 ${names} --duration 7 --video-id -x`
  expect(await run(args, join(fixtures, 'market.SRT'))).toMatchObject({ code: 0 })
  const told = { title: 'Cherries!', level: 'C1', durationS: 7, channel: { id: 'm', name: 'Markets' } }
  const written = JSON.parse(readFileSync(join(folder, 'c/clips/en/-x.json'), 'utf8'))
  expect(written).toMatchObject({ videoId: '-x', ...told })
})

test('exits with 1 if every file is refused, if there is none, and if the corpus cannot be written', async () => {
  writeFileSync(join(folder, 'file'), '')
  const into = (corpus: string, path: string) => run(`--language en --level B1 --corpus ${corpus}`, path)
  expect(await into('c', join(fixtures, 'refused'))).toMatchObject({ code: 1 })
  expect(existsSync(join(folder, 'c'))).toBe(false)
  expect(await into('c', folder)).toEqual(failure(1, 'There are no subtitle files in'))
  expect(await into('file', join(fixtures, 'market.SRT'))).toEqual(
    failure(1, /^Cannot write the corpus .*file: [^\n]*\n$/),
  )
})

test('shortens a report, with rejected files first, and --max-rejected allows exactly its share', async () => {
  const text = readFileSync(join(fixtures, 'market.SRT'))
  mkdirSync(join(folder, 'many'))
  for (let i = 0; i < 50; i++) writeFileSync(join(folder, 'many', `A trip [v${i}].srt`), i < 21 ? text : '')
  const args = `many ${corpusInEnglish} --level B1 --channel-id ann --channel-name Ann --name-pattern`
  const within = (share: string) => run(args, '{title} [{videoId}]', '--max-rejected', share)
  const { code, stderr } = await within('58%')
  const lines = stderr.split('\n')
  const [, file] = /^… and 30 more; all 50 are in (.+)$/m.exec(stderr)!
  expect([code, lines.findIndex((line) => !line.startsWith('rejected'))]).toEqual([0, 20])
  expect(readFileSync(file!, 'utf8').match(/^imported/gm)).toHaveLength(21)
  expect(await within('28%')).toEqual(
    failure(1, '29 of 50 files were rejected, which is more than 28% (--max-rejected).'),
  )
})

test.each([
  [corpusInEnglish, 'The command needs the paths'],
  [`a.srt ${corpusInEnglish} --max-rejected 1`, '--max-rejected must be a percentage'],
  ['a.srt --corpus c', 'The command needs --language'],
  ['a.srt --language en', 'The command needs --corpus'],
  ['a.srt --corpus c --language english', '--language must be two letters a-z, but it is "english"'],
  [`a.srt ${corpusInEnglish} --level B3`, '--level must be one of A1'],
  [`a.srt ${corpusInEnglish} --duration 9.5`, '--duration must be a whole number'],
  [`a.srt ${corpusInEnglish} --video-id a/b`, '--video-id must be 1 to 64'],
  [`a.srt b.srt ${corpusInEnglish} --title T`, '--title can be used only with a single subtitle file'],
])('import %s is a usage error', async (args, message) => {
  expect(await run(args)).toEqual(failure(2, message))
})

test('prints no escape sequences or line feeds of a file’s name on the terminal', async () => {
  const name = 'a\u001b[2J\nimported  b.srt'
  cpSync(join(fixtures, 'refused/empty.srt'), join(folder, `${name}.srt`))
  const { stderr } = await run(`. ${corpusInEnglish}`)
  expect(stderr).toContain('rejected  a\\u001b[2J\\u000aimported  b.srt.srt is empty.\n')
  expect(stderr).not.toContain('\u001b')
  const missing = await run(`. ${corpusInEnglish} --metadata`, `${name}.csv`)
  expect(missing.stderr).not.toContain('\nimported')
  expect(missing.stderr).not.toContain('\u001b')
})

test('warns of a language without an analyser, and says how to install one', async () => {
  const args = '--corpus c --level B1 --language'
  const warningsIn = async (language: string) =>
    (await run(`${args} ${language}`, join(fixtures, 'market.SRT'))).stderr.match(/^warning: .*$/gm)
  expect(await warningsIn('fo')).toEqual([
    'warning: in "fo", words are matched only by their headwords and listed forms. Install the analyser for this language with "npm install --save-exact dictionary-fo".',
  ])
  expect(await warningsIn('en')).toBeNull()
})

test('a dry run prints how each file would be read and its first lines, and writes nothing', async () => {
  mkdirSync(join(folder, 'talks'))
  const times = (second: number) => `00:00:0${second},000 --> 00:00:0${second + 1},000`
  const said = ['ANNA: Good morning.', '[applause]', 'ANNA: We begin.', 'At last.', 'Come in.']
  const text = said.map((line, i) => `${i + 1}\n${times(i)}\n${line}\n`).join('\n')
  for (let i = 0; i < 9; i++) writeFileSync(join(folder, 'talks', `Talk [v${i}].srt`), text)
  writeFileSync(join(folder, 'talks/Empty [v9].srt'), '')
  const args = `talks ${corpusInEnglish} --level A1 --channel-id m --channel-name M --dry-run --name-pattern`
  const { code, stdout, stderr } = await run(args, '{title} [{videoId}]')
  expect(code).toBe(0)
  const lines = stdout.trimEnd().split('\n')
  expect(lines).toHaveLength(1 + 9 * 4)
  expect(lines.slice(0, 5)).toEqual([
    'rejected  talks/Empty [v9].srt is empty.',
    'imported  talks/Talk [v0].srt: srt, utf-8, en, word times interpolated; ' +
      '4 of 5 cues (dropped: 1 × not speech); repaired: 2 × mark or name of a speaker: removed',
    '          Good morning.',
    '          We begin.',
    '          At last.',
  ])
  expect(stderr).toMatch(/^9 imported, 0 skipped, 1 rejected; .* \(dry run: nothing was written\)\n$/)
  expect(existsSync(join(folder, 'c'))).toBe(false)
})

test('--explain shows the cues of a file as read, and what each step removes and adds', async () => {
  writeFileSync(
    join(folder, 'a.srt'),
    '1\n00:00:00,000 --> 00:00:01,000\n<i>&gt;&gt; ANNA: [laughs] Hello.</i>\n\n2\n00:00:01,000 --> 00:00:02,000\n(MUSIC)\n',
  )
  const { code, stdout } = await run('--language en --explain a.srt')
  expect(code).toBe(0)
  const expected = /^2 cues as read \(srt, utf-8\)\n {2}0 to 1: <i>&gt;&gt; ANNA: \[laughs\] Hello\.<\/i>\n/
  expect(stdout).toMatch(expected)
  expect(stdout).toContain('\n+ 0 to 1: >> ANNA: [laughs] Hello.\nDrop cues without')
  expect(stdout).toContain(`Remove sounds, speakers and readings
- 0 to 1: >> ANNA: [laughs] Hello.
- 1 to 2: (MUSIC)
+ 0 to 1: Hello.
Repair times: no change
1 cue, 0 of them with word times
1 × not speech
1 × sound in brackets: removed
1 × mark or name of a speaker: removed`)
  expect(await run('--explain missing.srt --language en')).toMatchObject({ code: 1 })
  expect(await run('a.srt --language en')).toMatchObject({ code: 2 })
})

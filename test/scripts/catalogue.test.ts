import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { tempFolder } from '../harness/temp-folder.ts'
import { run as runCommand } from '../harness/command.ts'

const sample = join(import.meta.dirname, '../../src/sample-corpus')
let folder: string

beforeEach(() => void (folder = tempFolder()))

/** Runs a command whose words are separated by blanks. */
const run = (command: string) => runCommand(folder, command.split(' '))
const importWords = () => run('catalogue import words.csv --corpus c --language en --json')

const words =
  'word,level,meaning_en,forms\nrun,A1,go fast,ran|runs\nrun,B2,manage,\nblue,A1,a colour,\nodd,,,\n'

test('catalogue import creates a catalogue, and a second run changes nothing', async () => {
  writeFileSync(join(folder, 'words.csv'), words)
  const first = await run('catalogue import words.csv --corpus c --language en')
  expect(first).toMatchObject({
    code: 0,
    stdout: '2 added, 0 changed, 0 unchanged, 1 rejected; 1 levels differ\n',
  })
  expect(first.stderr).toContain('words.csv:5: "odd" is new and has no level')
  const bytes = readFileSync(join(folder, 'c/catalogue/en.jsonl'), 'utf8')
  expect(bytes).toContain(
    '{"wordId":1,"word":"run","level":"A1","meanings":{"en":"go fast"},"forms":["ran","runs"]}\n',
  )
  expect(JSON.parse((await importWords()).stdout)).toMatchObject({
    added: 0,
    changed: 0,
    unchanged: 2,
    rejected: 1,
  })
  expect(readFileSync(join(folder, 'c/catalogue/en.jsonl'), 'utf8')).toBe(bytes)
})

test.each([
  ['%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj', 'a PDF'],
  ['PK\x03\x04\x14\x00\x06\x00', 'a spreadsheet or another archive'],
])('catalogue import of %j says what the file is, and what to do', async (bytes, kind) => {
  writeFileSync(join(folder, 'words.csv'), Buffer.from(bytes, 'latin1'))
  expect(await importWords()).toEqual({
    code: 1,
    stdout: '',
    stderr: `words.csv is ${kind}, not a CSV file. Save the list as CSV with a column "word".\n`,
  })
})

test('catalogue check --json names every form whose headword is missing', async () => {
  mkdirSync(join(folder, 'c/catalogue'), { recursive: true })
  mkdirSync(join(folder, 'c/forms'))
  writeFileSync(join(folder, 'c/catalogue/en.jsonl'), '{"wordId":1,"word":"run","level":"A1"}\n')
  writeFileSync(join(folder, 'c/forms/en.tsv'), 'ate\teat\n'.repeat(150))
  const { warnings } = JSON.parse((await run('catalogue check --corpus c --json')).stdout)
  expect(warnings).toHaveLength(150)
  expect(warnings[149]).toEqual({
    file: 'forms/en.tsv',
    line: 150,
    reason: 'the catalogue has no headword "eat"',
  })
})

test('lines that do not change keep their bytes, and a broken catalogue accepts no import', async () => {
  mkdirSync(join(folder, 'c/catalogue'), { recursive: true })
  const line = '{ "wordId": 41, "word": "blue", "level": "A1", "meanings": { "en": "sad" } }'
  writeFileSync(join(folder, 'c/catalogue/en.jsonl'), `${line}\n`)
  writeFileSync(join(folder, 'words.csv'), words)
  await importWords()
  const [first, second] = readFileSync(join(folder, 'c/catalogue/en.jsonl'), 'utf8').split('\n')
  expect(first).toBe(line)
  expect(JSON.parse(second!)).toMatchObject({ wordId: 42, word: 'run' })
  writeFileSync(join(folder, 'c/catalogue/tr.jsonl'), 'broken\n')
  expect(await importWords()).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('catalogue/tr.jsonl:1: The record is not valid JSON'),
  })
})

test('a line that changes keeps fields that only its editors know', async () => {
  mkdirSync(join(folder, 'c/catalogue'), { recursive: true })
  const line = { wordId: 1, note: 'ours', word: 'blue', level: 'A1', meanings: {}, forms: [] }
  writeFileSync(join(folder, 'c/catalogue/en.jsonl'), `${JSON.stringify(line)}\n`)
  writeFileSync(join(folder, 'words.csv'), words)
  await importWords()
  const [first] = readFileSync(join(folder, 'c/catalogue/en.jsonl'), 'utf8').split('\n')
  expect(JSON.parse(first!)).toEqual({ ...line, meanings: { en: 'a colour' } })
})

test.each([
  [
    'wordId above the highest',
    '{"wordId":2147483647,"word":"blue","level":"A1"}\n',
    'word,level\nred,A1\n',
    'words.csv would make the catalogue invalid: "red": wordId must be at most 2147483647.\n',
  ],
  [
    'form of more words than may share one',
    '',
    `word,level,forms\n${Array.from({ length: 51 }, (_, i) => `w${i}x,A1,shared\n`).join('')}`,
    'words.csv would make the catalogue invalid: "w50x": forms contains "shared", which is a form of more than 50 words.\n',
  ],
])('catalogue import refuses a list that needs a %s', async (_, catalogue, list, stderr) => {
  mkdirSync(join(folder, 'c/catalogue'), { recursive: true })
  writeFileSync(join(folder, 'c/catalogue/en.jsonl'), catalogue)
  writeFileSync(join(folder, 'words.csv'), list)
  expect(await importWords()).toEqual({ code: 1, stdout: '', stderr })
  expect(readFileSync(join(folder, 'c/catalogue/en.jsonl'), 'utf8')).toBe(catalogue)
})

test('catalogue check and corpus stats work on the sample corpus', async () => {
  const check = await run(`catalogue check --corpus ${sample} --language en`)
  expect(check.code).toBe(0)
  expect(check.stdout).toMatch(/^en: \d+ words\n {2}without a meaning, by gloss: en \d+(?:, [a-z]{2} \d+)+/)
  const stats = await run(`corpus stats --corpus ${sample}`)
  expect(stats.code).toBe(0)
  expect(stats.stdout).toMatch(/^en {2}\d+ clips, \d+ min; \d+ of \d+ words spoken/)
  expect(stats.stdout).toMatch(/^A1 +\d+ +\d+ +\d+ {2}█+.*\d+\.\d%$/m)
  const { languages } = JSON.parse((await run(`corpus stats --corpus ${sample} --json`)).stdout)
  const codes = languages.map(({ language }: { language: string }) => language)
  expect(codes).toEqual(['en', 'es', 'ja', 'ru', 'tr', 'zh'])
})

test('import --suggest-level adds missing levels and never overrides one', async () => {
  const said =
    'I like my green garden and the old house. We go home and eat bread with water. It is a good day. '
  const srt = `1\n00:00:00,000 --> 00:00:09,000\n${said}\n`
  for (const [id, level] of [
    ['vid1', undefined],
    ['vid2', 'C1'],
  ] as const) {
    writeFileSync(join(folder, `${id}.srt`), srt)
    const about = { videoId: id, title: 'T', channel: 'C', level }
    writeFileSync(join(folder, `${id}.json`), JSON.stringify(about))
  }
  mkdirSync(join(folder, 'c/catalogue'), { recursive: true })
  writeFileSync(join(folder, 'c/catalogue/en.jsonl'), readFileSync(join(sample, 'catalogue/en.jsonl')))
  const args = '--language en --suggest-level'
  const { code, stderr } = await run(`import vid1.srt vid2.srt --corpus c ${args} --report r.json`)
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/vid1\.srt: 1 cue; suggested level A\d: \d+\.\d% of \d+ tokens known/),
  ])
  const level = (id: string) => JSON.parse(readFileSync(join(folder, `c/clips/en/${id}.json`), 'utf8')).level
  const { files } = JSON.parse(readFileSync(join(folder, 'r.json'), 'utf8'))
  expect(level('vid1')).toBe(files[0].suggestion.level)
  expect(files[1].suggestion.level).toBe(files[0].suggestion.level)
  expect(level('vid2')).toBe('C1')
  expect(await run(`import vid1.srt --corpus d ${args}`)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--suggest-level needs words in catalogue/en.jsonl'),
  })
})

test('corpus check shows hits with their line, always the same for a seed', async () => {
  const check = (more: string) =>
    run(`corpus check --corpus ${sample} --language ja --sample 5 --json ${more}`)
  const { code, stdout } = await check('--seed 7')
  expect(code).toBe(0)
  const hits = JSON.parse(stdout) as { word: string; form: string; text: string }[]
  expect(hits).toHaveLength(5)
  for (const { form, text } of hits) expect(text).toContain(form)
  expect((await check('--seed 7')).stdout).toBe(stdout)
  expect((await check('--seed 8')).stdout).not.toBe(stdout)
  expect(await check('--sample 0')).toMatchObject({ code: 2 })
})

describe('catalogue import counts a form', () => {
  const sharing = Array.from({ length: 50 }, (_, i) => `w${i}x,A1,shared\n`).join('')

  beforeEach(() => {
    mkdirSync(join(folder, 'c/forms'), { recursive: true })
    writeFileSync(join(folder, 'words.csv'), `word,level,forms\n${sharing}`)
  })

  test('once for a word that has it in another case, too', async () => {
    writeFileSync(
      join(folder, 'words.csv'),
      `word,level,forms\n${sharing.replaceAll('shared', 'shared|Shared')}`,
    )
    expect(await importWords()).toMatchObject({ code: 0, stdout: expect.stringContaining('"added":50,') })
  })

  test('of a forms file', async () => {
    writeFileSync(join(folder, 'c/forms/en.tsv'), 'other\tw0x\nshared\tw50x\n')
    appendFileSync(join(folder, 'words.csv'), 'w50x,A1,\n')
    expect(await importWords()).toMatchObject({
      code: 1,
      stderr:
        'words.csv would make the catalogue invalid: forms/en.tsv:2: forms contains "shared", which is a form of more than 50 words.\n',
    })
  })
})

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { clip } from '../nightly/small-corpus.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { failure, run as runCommand } from '../harness/command.ts'

const sample = join(import.meta.dirname, '../../src/sample-corpus')
let folder: string

beforeEach(() => {
  folder = tempFolder()
  mkdirSync(join(folder, 'c/catalogue'), { recursive: true })
})

const write = (path: string, text: string | Buffer) => writeFileSync(join(folder, path), text)
const catalogue = () => readFileSync(join(folder, 'c/catalogue/en.jsonl'), 'utf8')

/** Runs a command whose words are separated by blanks. */
const run = (command: string) => runCommand(folder, command.split(' '))
const importWords = () => run('catalogue import words.csv --corpus c --language en --json')

/** Returns a list of words that share a form. */
const sharing = (count: number) =>
  `word,level,forms\n${Array.from({ length: count }, (_, i) => `w${i}x,A1,shared\n`).join('')}`

const words =
  'word,level,meaning_en,forms\nrun,A1,go fast,ran|runs\nrun,B2,manage,\nblue,A1,a colour,\nodd,,,\n'

test('catalogue import creates a catalogue, and a second run changes nothing', async () => {
  write('words.csv', words)
  const first = await run('catalogue import words.csv --corpus c --language en')
  const stdout = '2 added, 0 changed, 0 unchanged, 1 rejected; 1 levels differ\n'
  expect(first).toMatchObject({ code: 0, stdout })
  expect(first.stderr).toContain('words.csv:5: "odd" is new and has no level')
  const bytes = catalogue()
  expect(bytes).toContain(
    '{"wordId":1,"word":"run","level":"A1","meanings":{"en":"go fast"},"forms":["ran","runs"]}\n',
  )
  const counts = { added: 0, changed: 0, unchanged: 2, rejected: 1 }
  expect(JSON.parse((await importWords()).stdout)).toMatchObject(counts)
  expect(catalogue()).toBe(bytes)
})

test.each([
  ['%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj', 'a PDF'],
  ['PK\x03\x04\x14\x00\x06\x00', 'a spreadsheet or another archive'],
])('catalogue import of %j says what the file is, and what to do', async (bytes, kind) => {
  write('words.csv', Buffer.from(bytes, 'latin1'))
  const reason = `words.csv is ${kind}, not a CSV file. Save the list as CSV with a column "word".\n`
  expect(await importWords()).toEqual(failure(1, reason))
})

test('catalogue check --json names every form whose headword is missing', async () => {
  mkdirSync(join(folder, 'c/forms'))
  write('c/catalogue/en.jsonl', '{"wordId":1,"word":"run","level":"A1"}\n')
  write('c/forms/en.tsv', 'ate\teat\n'.repeat(150))
  const { warnings } = JSON.parse((await run('catalogue check --corpus c --json')).stdout)
  expect(warnings).toHaveLength(150)
  const expected = { file: 'forms/en.tsv', line: 150, reason: 'the catalogue has no headword "eat"' }
  expect(warnings[149]).toEqual(expected)
})

test('lines that do not change keep their bytes, and a broken catalogue accepts no import', async () => {
  const line = '{ "wordId": 41, "word": "blue", "level": "A1", "meanings": { "en": "sad" } }'
  write('c/catalogue/en.jsonl', `${line}\n`)
  write('words.csv', words)
  await importWords()
  const [first, second] = catalogue().split('\n')
  expect(first).toBe(line)
  expect(JSON.parse(second!)).toMatchObject({ wordId: 42, word: 'run' })
  write('c/catalogue/tr.jsonl', 'broken\n')
  expect(await importWords()).toEqual(failure(1, 'catalogue/tr.jsonl:1: The record is not valid JSON'))
})

test('a line that changes keeps fields that only its editors know', async () => {
  const line = { wordId: 1, note: 'ours', word: 'blue', level: 'A1', meanings: {}, forms: [] }
  write('c/catalogue/en.jsonl', `${JSON.stringify(line)}\n`)
  write('words.csv', words)
  await importWords()
  const [first] = catalogue().split('\n')
  expect(JSON.parse(first!)).toEqual({ ...line, meanings: { en: 'a colour' } })
})

test.each([
  [
    'wordId above the highest',
    '{"wordId":2147483647,"word":"blue","level":"A1"}\n',
    'word,level\nred,A1\n',
    '"red": wordId must be at most 2147483647.',
  ],
  [
    'form of more words than may share one',
    '',
    sharing(51),
    '"w50x": forms contains "shared", which is a form of more than 50 words.',
  ],
])('catalogue import refuses a list that needs a %s', async (_, before, list, reason) => {
  write('c/catalogue/en.jsonl', before)
  write('words.csv', list)
  expect(await importWords()).toEqual(failure(1, `words.csv would make the catalogue invalid: ${reason}\n`))
  expect(catalogue()).toBe(before)
})

test('catalogue check and corpus stats count words, meanings and clips', async () => {
  const levels = { run: 'A1', cat: 'A1', sofa: 'B1' }
  const line = ([word, level]: string[], i: number) =>
    JSON.stringify({ wordId: i + 1, word, level, meanings: { es: 'x' } })
  write('c/catalogue/en.jsonl', Object.entries(levels).map(line).join('\n'))
  mkdirSync(join(folder, 'c/clips'))
  write('c/clips/v.json', JSON.stringify(clip('v', 'The cats run.')))
  const check = await run('catalogue check --corpus c --language en')
  expect(check.stdout).toMatch(/^en: 3 words\n {2}without a meaning, by gloss: en 3, es 0, ja 3/)
  const stats = await run('corpus stats --corpus c')
  const summary = 'en  1 clip, 0 min; 2 of 3 words spoken (66.7%); 66.7% of 3 tokens are in the catalogue'
  expect(stats.stdout.split('\n')[0]).toBe(summary)
  expect(stats.stdout).toMatch(/^A1 {7}1 {7}2 {7}2 {2}█+ 100\.0%\nA2 {7}0 {7}0 {7}0 {2}·+ 0\.0%$/m)
  const { languages } = JSON.parse((await run('corpus stats --corpus c --json')).stdout)
  expect(languages).toMatchObject([{ language: 'en', clips: 1, tokens: 3, indexedTokens: 2 }])
})

test('import --suggest-level adds missing levels and never overrides one', async () => {
  const said =
    'I like my green garden and the old house. We go home and eat bread with water. It is a good day. '
  const srt = `1\n00:00:00,000 --> 00:00:09,000\n${said}\n`
  for (const [videoId, level] of Object.entries({ vid1: undefined, vid2: 'C1' })) {
    write(`${videoId}.srt`, srt)
    write(`${videoId}.json`, JSON.stringify({ videoId, title: 'T', channel: 'C', level }))
  }
  write('c/catalogue/en.jsonl', readFileSync(join(sample, 'catalogue/en.jsonl')))
  const args = '--language en --suggest-level'
  const { code, stderr } = await run(`import vid1.srt vid2.srt --corpus c ${args} --report r.json`)
  expect(code).toBe(0)
  expect(stderr).toMatch(/vid1\.srt: 1 cue; suggested level A\d: \d+\.\d% of \d+ tokens known/)
  const level = (id: string) => JSON.parse(readFileSync(join(folder, `c/clips/en/${id}.json`), 'utf8')).level
  const { files } = JSON.parse(readFileSync(join(folder, 'r.json'), 'utf8'))
  expect(level('vid1')).toBe(files[0].suggestion.level)
  expect(files[1].suggestion.level).toBe(files[0].suggestion.level)
  expect(level('vid2')).toBe('C1')
  expect(await run(`import vid1.srt --corpus d ${args}`)).toEqual(
    failure(1, '--suggest-level needs words in catalogue/en.jsonl'),
  )
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

test('catalogue import counts a form only once if a word has it in two cases', async () => {
  write('words.csv', sharing(50).replaceAll('shared', 'shared|Shared'))
  expect(await importWords()).toMatchObject({ code: 0, stdout: expect.stringContaining('"added":50,') })
})

test('catalogue import counts the forms of a forms file', async () => {
  mkdirSync(join(folder, 'c/forms'))
  write('c/forms/en.tsv', 'other\tw0x\nshared\tw50x\n')
  write('words.csv', `${sharing(50)}w50x,A1,\n`)
  const reason = 'forms/en.tsv:2: forms contains "shared", which is a form of more than 50 words.\n'
  expect(await importWords()).toEqual(failure(1, reason))
})

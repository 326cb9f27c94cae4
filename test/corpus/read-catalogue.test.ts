import { describe, expect, test } from 'vitest'
import { glosses } from '#contract/glosses.ts'
import { readCatalogue } from '#corpus/read-catalogue.ts'
import { formatProblem } from '#corpus/problem.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { word, writeFiles } from '../nightly/small-corpus.ts'

async function read(files: Record<string, string | Uint8Array>) {
  const folder = tempFolder()
  await writeFiles(folder, files)
  const { catalogue, problems, warnings } = await readCatalogue(folder)
  return { catalogue, problems: problems.map(formatProblem), warnings: warnings.map(formatProblem) }
}

const lines = (...words: object[]) => words.map((each) => JSON.stringify(each) + '\n').join('')

describe('a valid catalogue', () => {
  test('lists words by language, in the order of their file', async () => {
    const { catalogue, problems } = await read({
      'catalogue/tr.jsonl': lines(word(9, 'kedi')),
      'catalogue/en.jsonl': lines(word(5, 'look after'), word(2, 'cat')),
    })
    expect(problems).toEqual([])
    expect([...catalogue.keys()]).toEqual(['en', 'tr'])
    expect(catalogue.get('en')).toEqual([
      { ...word(5, 'look after'), language: 'en' },
      { ...word(2, 'cat'), language: 'en' },
    ])
  })

  test('meanings and forms are optional, an empty meaning counts as none, and all text is trimmed and NFC', async () => {
    const { catalogue } = await read({
      'catalogue/en.jsonl':
        '\uFEFF{"wordId":0,"word":" cafe\u0301 ","level":"A1","meanings":{"tr":" kahve ","en":" "}}\r\n\r\n{"wordId":1,"word":"x","level":"C2"}',
    })
    expect(catalogue.get('en')).toEqual([
      { wordId: 0, word: 'café', level: 'A1', meanings: { tr: 'kahve' }, forms: [], language: 'en' },
      { wordId: 1, word: 'x', level: 'C2', meanings: {}, forms: [], language: 'en' },
    ])
  })

  test('takes forms from the line and from forms/, each once ignoring case, never the headword', async () => {
    const { catalogue } = await read({
      'catalogue/en.jsonl': lines(word(1, 'run', { forms: ['ran', 'Ran', 'RUN', 'runs'] })),
      'forms/en.tsv': '\uFEFFrunning\trun\r\nRUNS\tRun\r\n\r\nrun\trun\r\n',
    })
    expect(catalogue.get('en')![0]!.forms).toEqual(['ran', 'runs', 'running'])
  })

  test('counts the forms of unlisted headwords in a file made from a larger list, and names the first 100', async () => {
    const larger = Array.from({ length: 350 }, (_, i) => `ate${i}\teat${i}\n`).join('') + 'ran\trun\n'
    const files = {
      'catalogue/en.jsonl': lines(word(1, 'run')),
      'forms/en.tsv': larger,
      'forms/es.tsv': 'x\ty\n',
    }
    const { catalogue, warnings } = await read(files)
    expect(warnings).toHaveLength(102)
    expect(warnings[0]).toBe(
      'forms/en.tsv: 350 lines name a headword that is not in the catalogue. These are the first 100.',
    )
    expect(warnings.slice(100)).toEqual([
      'forms/en.tsv:100: The catalogue has no headword "eat99".',
      'forms/es.tsv:1: The catalogue has no headword "y".',
    ])
    expect(catalogue.get('en')![0]!.forms).toEqual(['ran'])
  })
})

describe('locates every fault:', () => {
  test.each<[string, string]>([
    ['{"wordId":1,', 'The record is not valid JSON'],
    ['[]', 'The record must be an object'],
    [lines(word(1, 'x', { level: 'D1' as 'A1' })), 'level must be one of A1, A2, B1, B2, C1, C2'],
    [
      lines(word(1, 'x', { meanings: { xx: 'y' } as object })),
      `meanings has the unknown gloss xx. The glosses are ${glosses.join(', ')}`,
    ],
    ['{"wordId":"1","word":"x","level":"A1"}', 'wordId must be a whole number'],
    ['{"word":"x","level":"A1"}', 'wordId is missing'],
    [lines(word(1, ' ')), 'word must not be empty'],
  ])('%s', async (text, problem) => {
    const { problems } = await read({ 'catalogue/en.jsonl': '\n' + text })
    expect(problems).toEqual([expect.stringContaining(`catalogue/en.jsonl:2: ${problem}`)])
  })

  test.each([
    ['a wordId', word(1, 'x'), word(1, 'y'), 'wordId 1 is already used in catalogue/en.jsonl:1'],
    ['case', word(1, 'Cat'), word(2, 'cAT'), 'word "cAT" is already in the catalogue, with the wordId 1'],
    ['the apostrophe', word(1, "o'clock"), word(2, 'o’clock'), 'word "o’clock" is already in the catalogue'],
    ['NFC', word(1, 'é'), word(2, 'e\u0301'), 'word "é" is already in the catalogue'],
  ])('a word that repeats the previous one except for %s', async (_, first, second, problem) => {
    const { problems } = await read({ 'catalogue/en.jsonl': lines(first, second) })
    expect(problems).toEqual([expect.stringContaining(`catalogue/en.jsonl:2: ${problem}`)])
  })

  test('lines of forms, and lines that are not UTF-8', async () => {
    const { problems } = await read({
      'catalogue/en.jsonl': Buffer.concat([Buffer.from(lines(word(1, 'run'))), Buffer.of(0xff)]),
      'forms/en.tsv': 'ran\nran\t\n\trun\nran\trun\tx\n',
    })
    const noForm = [1, 2, 3, 4].map(
      (line) => `forms/en.tsv:${line}: The line must consist of a form, a TAB and a headword.`,
    )
    expect(problems).toEqual(['catalogue/en.jsonl:2: The record is not valid UTF-8.', ...noForm])
  })
})

describe('what is too large, or not text,', () => {
  const marks = '\u0301\u0323'.repeat(150_000)
  const forms = Array.from({ length: 5_001 }, (_, i) => `f${i}`)
  test.each<[object, string]>([
    [{ word: 'a'.repeat(2 ** 20) }, 'word is 1048576 characters long, but at most 100 are allowed'],
    [{ word: marks }, 'word is 300000 characters long, but at most 100 are allowed'],
    [{ word: Array(13).fill('a').join(' ') }, 'word has 13 parts, but at most 12 are allowed'],
    [{ word: 'a\0b' }, 'word contains the character U+0000'],
    [{ forms: ['b', 'a'.repeat(101)] }, 'forms[1] is 101 characters long, but at most 100 are allowed'],
    [{ forms: ['\ud800'] }, 'forms[0] contains the lone surrogate U+D800'],
    [{ forms }, 'forms must list at most 5000 forms'],
    [
      { meanings: { es: 'x'.repeat(10_001) } },
      'meanings.es is 10001 characters long, but at most 10000 are allowed',
    ],
    [{ meanings: { en: 'x\udfff' } }, 'meanings.en contains the lone surrogate U+DFFF'],
  ])('is a located problem (%#)', async (more, problem) => {
    const { problems } = await read({
      'catalogue/en.jsonl': lines(word(1, 'cat'), { ...word(2, 'dog'), ...more }),
    })
    expect(problems).toEqual([`catalogue/en.jsonl:2: ${problem}.`])
  })

  test('applies the same bounds to a forms file', async () => {
    const files = {
      'catalogue/en.jsonl': lines(word(1, 'cat')),
      'forms/en.tsv': `cats\tcat\nc\0ts\tcat\n${marks}\tcat\n`,
    }
    expect((await read(files)).problems).toEqual([
      'forms/en.tsv:2: form contains the character U+0000.',
      'forms/en.tsv:3: form is 300000 characters long, but at most 100 are allowed.',
    ])
  })

  test('reports a form of more than 50 words where the 51st names it', async () => {
    const words = Array.from({ length: 51 }, (_, i) => word(i, `w${i}`, { forms: ['it'] }))
    expect((await read({ 'catalogue/en.jsonl': lines(...words) })).problems).toEqual([
      'catalogue/en.jsonl:51: forms contains "it", which is a form of more than 50 words.',
    ])
  })

  test('reads and refuses 100,000 forms of one word one by one', async () => {
    const forms = Array.from({ length: 100_000 }, (_, i) => `f${i}\tcat\n`).join('')
    const { catalogue, problems } = await read({
      'catalogue/en.jsonl': lines(word(1, 'cat')),
      'forms/en.tsv': forms,
    })
    expect(catalogue.get('en')![0]!.forms).toHaveLength(5_000)
    expect(problems).toHaveLength(95_000)
    expect(problems[0]).toBe('forms/en.tsv:5001: "cat" has more than 5000 forms.')
  })
})

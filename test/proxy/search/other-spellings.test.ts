import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WordPage } from '#contract/word.ts'
import { word, clip } from '../../build/small-corpus.ts'
import { startService, type Service } from '../../harness/service.ts'
import { writeSourceFolder } from '../../harness/source-folder.ts'

let folder: string
let service: Service
let key: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'clip-lookup-'))
  const catalogues = {
    en: [
      word(1, 'child', { forms: ['children'] }),
      word(2, 'chip', { forms: ['chipset'] }),
      word(3, 'orchid', { forms: ['children'] }),
    ],
    es: [word(10, 'tener')],
    ja: [
      word(20, '食べる', { forms: ['たべる'] }),
      word(21, '試みる', { forms: ['こころみる'] }),
      word(22, '見る', { forms: ['みる'] }),
      word(23, 'メンバー'),
      word(24, 'ありがとう'),
    ],
    tr: [word(30, 'kız'), word(31, 'kişi'), word(32, 'iyi', { forms: ['iyice'] })],
    zh: [word(40, '学习', { forms: ['學習'] }), word(41, '学'), word(42, '西安')],
  }
  await writeSourceFolder(`${folder}/source`, { catalogues, forms: {}, clips: [clip('v', 'The child.')] })
  service = await startService({ folder, corpusFolder: `${folder}/source` })
  key = await service.newKey()
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true })
})

async function search(language: string, q: string) {
  const { json } = await service.get(
    `/words?hasClips=false&language=${language}&q=${encodeURIComponent(q)}`,
    { key },
  )
  return (json as WordPage).words.map((found) => [found.word, found.matchedForm])
}

describe('words are found by what a learner types', () => {
  test.each<[string, string, [string, string | undefined][]]>([
    ['ja', 'たべる', [['食べる', 'たべる']]],
    ['ja', 'タベル', [['食べる', 'たべる']]],
    ['ja', 'taberu', [['食べる', 'taberu']]],
    ['ja', 'tabe', [['食べる', 'taberu']]],
    ['ja', 'ＴＡＢＥ', [['食べる', 'taberu']]],
    [
      'ja',
      'みる',
      [
        ['見る', 'みる'],
        ['試みる', undefined],
      ],
    ],
    ['ja', 'アリガトウ', [['ありがとう', 'ありがとう']]],
    ['ja', 'ありガト', [['ありがとう', 'ありがとう']]],
    ['ja', 'めんばー', [['メンバー', 'メンバー']]],
    ['zh', '學習', [['学习', '學習']]],
    ['zh', 'xuexi', [['学习', 'xuexi']]],
    ['zh', 'xuéxí', [['学习', 'xuexi']]],
    ['zh', 'xué xí', [['学习', 'xue xi']]],
    ['zh', 'Xue X', [['学习', 'xue xi']]],
    ['zh', 'xian', [['西安', 'xian']]],
    ['zh', 'Xī’ān', [['西安', "xi'an"]]],
    [
      'zh',
      'xue',
      [
        ['学', 'xue'],
        ['学习', 'xuexi'],
      ],
    ],
    [
      'en',
      'children',
      [
        ['child', 'children'],
        ['orchid', 'children'],
      ],
    ],
    [
      'en',
      'chi',
      [
        ['child', undefined],
        ['chip', undefined],
        ['orchid', undefined],
      ],
    ],
    ['en', 'ｃｈｉｐ', [['chip', 'chip']]],
    ['es', 'tengo', [['tener', 'tengo']]],
    ['tr', 'kiz', [['kız', 'kız']]],
    ['tr', 'IYI', [['iyi', 'iyi']]],
    ['tr', 'ıyıc', [['iyi', 'iyice']]],
    [
      'tr',
      'ki',
      [
        ['kişi', undefined],
        ['kız', 'kız'],
      ],
    ],
  ])('%s: %s', async (language, q, found) => {
    expect(await search(language, q)).toEqual(found)
  })
})

describe('in paths, too', () => {
  test.each([
    ['ja', 'taberu', '食べる'],
    ['ja', 'タベル', '食べる'],
    ['zh', 'xuéxí', '学习'],
    ['tr', 'kiz', 'kız'],
    ['es', 'tengo', 'tener'],
  ])('%s: %s', async (language, typed, headword) => {
    const path = `/words/${encodeURIComponent(typed)}`
    expect((await service.get(`${path}?language=${language}`, { key })).json).toMatchObject({
      word: headword,
    })
    const clips = await service.get(`${path}/clips?language=${language}`, { key })
    expect(clips.json).toMatchObject({ word: { word: headword }, items: [] })
  })

  test('headwords and forms go before other spellings, and digits are ids after all', async () => {
    const { json } = await service.get('/words/children?language=en', { key })
    expect(json).toMatchObject({ word: 'child' })
    expect((await service.get('/words/22?language=ja', { key })).json).toMatchObject({ word: '見る' })
  })

  test('404 names the language that was looked in, and another that has the word', async () => {
    const message = async (path: string) => (await service.get(path, { key })).json.error.message as string
    expect(await message('/words/taberu')).toBe(
      'the catalogue of "en" has no word "taberu": "ja" has it, language=ja asks there',
    )
    expect(await message('/words/nothing/clips')).toBe('the catalogue of "en" has no word "nothing"')
  })
})

test('pages go from headwords on to other spellings', async () => {
  const found: string[] = []
  let cursor = ''
  do {
    const { json } = await service.get(`/words?hasClips=false&language=en&q=chi&limit=1${cursor}`, { key })
    const page = json as WordPage
    expect(page.totalCount).toBe(3)
    found.push(...page.words.map(({ word: headword }) => headword))
    cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`
  } while (cursor !== '')
  expect(found).toEqual(['child', 'chip', 'orchid'])
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WordPage } from '#contract/word.ts'
import { word, clip } from '../../nightly/small-corpus.ts'
import { startService, type Service } from '../../harness/service.ts'
import { writeSourceFolder } from '../../harness/source-folder.ts'
import { sharedFolder } from '../../harness/temp-folder.ts'

const folder = sharedFolder()
let service: Service
let key: string

beforeAll(async () => {
  const catalogues = {
    de: [word(60, 'für'), word(61, 'Haus'), word(62, 'Straße')],
    en: [
      word(1, 'child', { forms: ['children'] }),
      word(2, 'chip', { forms: ['chipset'] }),
      word(3, 'orchid', { forms: ['children'] }),
      word(4, 'twentyish'),
      word(5, 'go'),
      word(6, 'ice-cream'),
      word(7, 'actually'),
    ],
    es: [word(10, 'tener'), word(11, 'té'), word(12, 'tú', { forms: ['te'] })],
    fr: [word(70, 'œuvre'), word(71, 'cœur')],
    ja: [
      word(20, '食べる', { forms: ['たべる'] }),
      word(21, '試みる', { forms: ['こころみる'] }),
      word(22, '見る', { forms: ['みる'] }),
      word(23, 'メンバー'),
      word(24, 'ありがとう'),
      word(25, '東京', { forms: ['とうきょう'] }),
      word(26, '新聞', { forms: ['しんぶん'] }),
      word(27, '読む'),
      word(28, '本'),
    ],
    pt: [word(80, 'coração')],
    ru: [word(50, 'ёлка'), word(51, 'ребёнок')],
    tr: [word(30, 'kız'), word(31, 'kişi'), word(32, 'iyi', { forms: ['iyice'] }), word(33, 'gitmek')],
    zh: [word(40, '学习', { forms: ['學習'] }), word(41, '学'), word(42, '西安'), word(43, '女人')],
  }
  const said: Record<string, string[]> = {
    en: ['The child. Went, went, WENT home.'],
    es: ['Tengo hambre.'],
    ja: ['私は食べました。本を読んでいました。まだ見られなかった？'],
    ru: ['Дети дома.'],
    tr: ['Eve gidiyorum.'],
  }
  const clips = Object.entries(said).flatMap(([language, texts]) =>
    texts.map((text) => clip(`v-${language}`, text, { language })),
  )
  const words = ['Häuser', 'HÄUSER'].map((text, i) => ({ text, tStart: i, tEnd: i + 1, lemma: 'Haus' }))
  const cues = [{ tStart: 0, tEnd: 2, text: 'Häuser, HÄUSER!', words }]
  clips.push(clip('v-de', '', { language: 'de', cues }))
  await writeSourceFolder(`${folder}/source`, { catalogues, forms: {}, clips })
  service = await startService({ folder, corpusFolder: `${folder}/source`, analysers: true })
  key = await service.newKey()
})
afterAll(() => service.stop())

/** Returns the words found, each with the form that matched if it was not the headword. */
async function search(language: string, q: string): Promise<string> {
  const { json } = await service.get(
    `/words?hasClips=false&language=${language}&q=${encodeURIComponent(q)}`,
    { key },
  )
  return (json as WordPage).words
    .map(({ word: headword, matchedForm: by }) => (by === undefined ? headword : `${headword} (${by})`))
    .join(', ')
}

test.each([
  ['ja', 'たべる', '食べる (たべる)'],
  ['ja', 'タベル', '食べる (たべる)'],
  ['ja', 'taberu', '食べる (taberu)'],
  ['ja', 'tabe', '食べる (taberu)'],
  ['ja', 'ＴＡＢＥ', '食べる (taberu)'],
  ['ja', 'みる', '見る (みる), 試みる'],
  ['ja', 'アリガトウ', 'ありがとう (ありがとう)'],
  ['ja', 'ありガト', 'ありがとう (ありがとう)'],
  ['ja', 'めんばー', 'メンバー (メンバー)'],
  ['zh', '學習', '学习 (學習)'],
  ['zh', 'xuexi', '学习 (xuexi)'],
  ['zh', 'xuéxí', '学习 (xuexi)'],
  ['zh', 'xué xí', '学习 (xue xi)'],
  ['zh', 'Xue X', '学习 (xue xi)'],
  ['zh', 'xian', '西安 (xian)'],
  ['zh', 'Xī’ān', "西安 (xi'an)"],
  ['zh', 'xue', '学 (xue), 学习 (xuexi)'],
  ['en', 'children', 'child (children), orchid (children)'],
  ['en', 'chi', 'child, chip, orchid'],
  ['en', 'ｃｈｉｐ', 'chip (chip)'],
  ['en', 'went', 'go (went), twentyish'],
  ['en', 'ice cre', 'ice-cream (ice-cream)'],
  ['de', 'fuer', 'für (für)'],
  ['de', 'haeus', 'Haus (Häuser)'],
  ['de', 'strasse', 'Straße (Straße)'],
  ['fr', 'oeuv', 'œuvre (œuvre)'],
  ['fr', 'coeur', 'cœur (cœur)'],
  ['ja', 'tokyo', '東京 (tokyo)'],
  ['ja', 'tōkyō', '東京 (tokyo)'],
  ['ja', 'toukyou', '東京 (toukyou)'],
  ['ja', 'Shimbun', '新聞 (shimbun)'],
  ['ja', '食べました', '食べる (食べました)'],
  ['ja', '読んでいました', '読む (読んでいました)'],
  ['ja', '見られ', '見る (見られなかった)'],
  ['ja', '本を', ''],
  ['pt', 'coracao', 'coração'],
  ['ru', 'елка', 'ёлка'],
  ['ru', 'дети', 'ребёнок (дети)'],
  ['tr', 'gidiyorum', 'gitmek (gidiyorum)'],
  ['zh', 'xue2xi2', '学习 (xue2xi2)'],
  ['zh', 'nvren', '女人 (nvren)'],
  ['zh', 'nü ren', '女人 (nü ren)'],
  ['es', 'tengo', 'tener (tengo)'],
  ['tr', 'kiz', 'kız (kız)'],
  ['tr', 'IYI', 'iyi (iyi)'],
  ['tr', 'ıyıc', 'iyi (iyice)'],
  ['tr', 'ki', 'kişi, kız (kız)'],
])('finds words by the spellings that learners type: in %s, %s finds %s', async (language, q, found) => {
  expect(await search(language, q)).toEqual(found)
})

describe('finds words by other spellings in paths:', () => {
  test.each([
    ['ja', 'taberu', '食べる'],
    ['ja', 'タベル', '食べる'],
    ['zh', 'xuéxí', '学习'],
    ['tr', 'kiz', 'kız'],
    ['es', 'tengo', 'tener'],
    ['es', 'te', 'tú'],
    ['es', 'tè', 'té'],
    ['en', 'Went', 'go'],
    ['en', 'ice cream', 'ice-cream'],
    ['pt', 'coracao', 'coração'],
    ['ru', 'елка', 'ёлка'],
    ['ru', 'ДЕТИ', 'ребёнок'],
    ['ja', 'tōkyō', '東京'],
    ['de', 'Haeuser', 'Haus'],
  ])('%s: %s', async (language, typed, headword) => {
    const path = `/words/${encodeURIComponent(typed)}`
    expect((await service.get(`${path}?language=${language}`, { key })).json).toMatchObject({
      word: headword,
    })
    const clips = await service.get(`${path}/clips?language=${language}`, { key })
    expect(clips.json).toMatchObject({ word: { word: headword } })
  })

  test('lists headwords and forms before other spellings, and still reads digits as ids', async () => {
    const { json } = await service.get('/words/children?language=en', { key })
    expect(json).toMatchObject({ word: 'child' })
    expect((await service.get('/words/22?language=ja', { key })).json).toMatchObject({ word: '見る' })
  })

  test('a 404 names the language of the search, and another one that has the word', async () => {
    const message = async (path: string) => (await service.get(path, { key })).json.error.message as string
    for (const path of ['/words/taberu', '/words/taberu/clips'])
      expect(await message(path)).toBe(
        '"taberu" is a word in the Japanese catalogue. Add language=ja, or send GET /v1/sentences?q=taberu&language=en to find clips in which the text is said.',
      )
    const expected = /^There is no word "nothing" in the English catalogue\. Send /
    expect(await message('/words/nothing/clips')).toMatch(expected)
    expect(await message('/words/actualy')).toBe(
      'There is no word "actualy" in the English catalogue. Try "actually", or send GET /v1/sentences?q=actualy&language=en to find clips in which the text is said.',
    )
  })

  test('a 404 suggests a search that finds the text in sentences, and never repeats a key', async () => {
    for (const path of ['/words/the%20cat', '/words/the%20cat/clips']) {
      const { status, json } = await service.get(path, { key })
      expect(status).toBe(404)
      const [, search] = /GET \/v1(\S+)/.exec(json.error.message as string)!
      expect(search).toBe('/sentences?q=the%20cat&language=en')
      expect((await service.get(search!, { key })).status).toBe(200)
    }
    for (const word of ['?!', 'a '.repeat(13)]) {
      const { json } = await service.get(`/words/${encodeURIComponent(word)}`, { key })
      expect(json.error.message, word).not.toContain('/sentences')
    }
    for (const word of [key, `${'a'.repeat(57)}%20${key}`]) {
      const { json } = await service.get(`/words/${word}`, { key })
      expect(json.error.message).not.toContain(key)
    }
  })
})

test('a word lists the forms that occur, in lower case if the headword is', async () => {
  const forms = async (path: string) => (await service.get(`/words/${path}`, { key })).json.forms as string[]
  expect(await forms('go')).toEqual(['went'])
  expect(await forms('Haus?language=de')).toEqual(['Häuser'])
  expect(await forms('tener?language=es')).toEqual(['tengo'])
  expect(await forms('child')).toEqual(['children'])
})

test('pages continue from headwords to other spellings', async () => {
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

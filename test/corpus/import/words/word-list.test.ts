import { describe, expect, test } from 'vitest'
import { parseWordList } from '#corpus/import/words/word-list.ts'

/** Returns the words of a list as "word level {meanings} forms", and the lines of its problems. */
function read(text: string, language = 'en') {
  const { words, problems } = parseWordList(text, 'list', language)
  return {
    words: words.map(({ word, level = '-', meanings, forms }) =>
      [
        word,
        level,
        ...Object.entries(meanings).map(([gloss, meaning]) => `${gloss}=${meaning}`),
        ...forms,
      ].join('|'),
    ),
    lines: problems.map(({ line }) => line),
  }
}
const wordsOf = (text: string, language?: string) => read(text, language).words

describe('a table is read as programs write it', () => {
  test.each([
    [
      'Anki with names of columns',
      '#separator:tab\n#html:true\n#columns:Word\tMeaning\tCEFR\nriver\twater\tB1\n',
    ],
    [
      'Anki with a header, and levels in tags',
      '#separator:Semicolon\n#tags column:3\nword;meaning;x\nriver;water;nature level::B1\n',
    ],
    ['a comment before the header', '# made by hand\nword,meaning,level\nriver,water,B1\n'],
    ['the separator as Excel writes it', 'sep=;\r\nword;meaning;level\r\nriver;water;B1\r\n'],
    ['a byte order mark and quotes', '\ufeff"Word";"Meaning";"Level"\n"river";"water";"B1"\n'],
    ['tabs', 'Word\tMeaning\tLevel\nriver\twater\tB1\n'],
    ['bars', 'word|meaning|level\nriver|water|B1\n'],
    ['Markdown', '| word | meaning | level |\n|---|:---:|---|\n| river | water | B1 |\n'],
    ['a title above the header', 'My words,,\n,,\nword,meaning,level\nriver,water,B1\n,,\n'],
    ['two columns of one name', 'word,meaning,level,word\nriver,water,B1,brook\n'],
    ['errors of formulas', 'word,meaning,level,forms\nriver,water,B1,#N/A\n'],
    ['the sides of cards', 'Front,Back,Level\nriver,water,B1\n'],
    ['HTML', 'word,meaning,level\n<b>river</b>&nbsp;,<div>water</div>,<i>B1</i>\n'],
  ])('%s', (_, text) => expect(read(text)).toEqual({ words: ['river|B1|en=water'], lines: [] }))

  test('an Anki export without column names has its words in the only column of their script', () => {
    const header = '#separator:tab\n#html:true\n#tags column:4\n'
    const rows = '1\t<b>강</b>\triver\tnature A1\n2\t시간 [sound:a.mp3]\ttime\tA2\n'
    expect(read(header + rows, 'ko')).toEqual({ words: ['강|A1', '시간|A2'], lines: [] })
    expect(() => read(header + '강\t강이 길다\triver\tA1\n', 'ko')).toThrow('does not name its columns')
    expect(() => read(header + '1\t강이 길다.\tThe river\tA1\n', 'ko')).toThrow('does not name its columns')
  })

  test('refuses an Anki export without column names, and says what to add', () => {
    const reason = 'Add a first line such as "#columns:'
    expect(() => read('#separator:tab\n#html:true\nriver\twater\n')).toThrow(reason)
  })
})

test.each([
  ['de', 'Wort;Niveau;Englisch', 'Fluss|B1|en=river'],
  ['de', 'Deutsch;GER-Stufe;English', 'Fluss|B1|en=river'],
  ['de', 'German;CEFR level;Translation', 'Fluss|B1|en=river'],
  ['de', 'слово;Уровень;Перевод', 'Fluss|B1|ru=river'],
  ['de', 'Palabra;Nivel MCER;Traducción', 'Fluss|B1|es=river'],
  ['de', 'Kelime;Seviye;Türkçe', 'Fluss|B1|tr=river'],
  ['de', '单词;等级;中文', 'Fluss|B1|zh=river'],
  ['de', 'lemma;my own name;ja', 'Fluss|B1|ja=river'],
  ['de', 'Vokabel;Sprachniveau;Übersetzung (Englisch)', 'Fluss|B1|en=river'],
  ['fr', 'Mot;Niveau CECRL;Traduction anglaise', 'Fluss|B1|en=river'],
  ['es', 'Término;Nivel;Traducción', 'Fluss|B1|en=river'],
  ['zh', '词语;等级;释义', 'Fluss|B1|en=river'],
  ['pl', 'Słówko;Poziom;Angielski', 'Fluss|B1|en=river'],
  ['en', 'Base Word;Level;Spanish', 'Fluss|B1|es=river'],
])('understands a list of words in %s with the header "%s"', (language, header, expected) => {
  expect(wordsOf(`${header}\nFluss;B1;river\n`, language)).toEqual([expected])
})

test('accepts a cell with several levels, of which the lowest counts, and nothing else', () => {
  const cells = [
    'a1',
    'A2+',
    'A2.1',
    'B1-B2',
    'C2/C1',
    'CEFR B2',
    'B2 - Upper-Intermediate',
    'pre-A1',
    'N5',
    'HSK 1',
    'beginner',
    'В1',
  ]
  const rows = cells.map((cell, i) => `word${'abcdefghijkl'[i]},${cell}`)
  expect(read(`word,level\n${rows.join('\n')}\n`)).toEqual({
    words: ['worda|A1', 'wordb|A2', 'wordc|A2', 'wordd|B1', 'worde|C1', 'wordf|B2', 'wordg|B2', 'wordl|B1'],
    lines: [9, 10, 11, 12],
  })
})

test('refuses the levels of other systems, and says so', () => {
  const { problems } = parseWordList('word,level\n食べる,N5\n', 'list', 'ja')
  expect(problems).toEqual([
    { file: 'list', line: 2, field: 'level', reason: 'must be one of A1, A2, B1, B2, C1, C2, not "N5"' },
  ])
  const { words, noLevel } = parseWordList('simplified,HSK,english\n你好,1,hello\n', 'list', 'zh')
  expect(words).toMatchObject([{ word: '你好', level: undefined }])
  expect(noLevel).toBe(
    ', and the levels in the column "hsk" have no official equivalents among A1, A2, B1, B2, C1, C2',
  )
})

test('a quote at the start of a German ending means an umlaut', () => {
  const text =
    'word;plural;level\nder Mann;"-er;A1\nder Apfel;"-;A1\ndas Kind;"er;A1\ndas Haus;"die Häuser";A1\n'
  expect(wordsOf(text, 'de')).toEqual(['Mann|A1', 'Apfel|A1', 'Kind|A1', 'Haus|A1|Häuser'])
  expect(wordsOf('word;meaning;level\nder Hund;"\ndog";A1\n', 'de')).toEqual(['Hund|A1|en=dog'])
  const expected = ['Mutter|A1', 'Ast|A1']
  expect(wordsOf('word;level;plural\ndie Mutter;A1;"\nder Ast;A1;"e\n', 'de')).toEqual(expected)
})

test('a problem has the line on which its row starts', () => {
  const text = 'word,meaning,level\r\nriver,"a\r\nb",B1\r\n\r\nbank (river),"c\r\nd\r\ne",A1\r\n,,A1\r\n'
  expect(read(text)).toEqual({ words: ['river|B1|en=a b'], lines: [5, 8] })
})

test('reports a row that a separator inside a cell has made longer than the header', () => {
  const text = 'word,level,meaning\nrun,A1,"to go, fast"\nsay,A1,to speak, to\nsee,A1,to look,,\n'
  expect(read(text)).toEqual({ words: ['run|A1|en=to go, fast', 'see|A1|en=to look'], lines: [3] })
})

test.each([
  ['word,level\nähn,A1\n\n"run,A1\nsee,A1\n', 4],
  ['word,level,meaning\nrun,A1,"to go\nsee,A1,to look\n', 2],
])('names the line of the quote that %j does not close', (text, line) => {
  expect(() => read(text)).toThrow(`the quote on line ${line} is not closed`)
})

test('reports a row with characters that were damaged before', () => {
  const text =
    'word,level,meaning,forms\nna\ufffdve,A1,,\nrun,A1,go f\ufffdst,\ngo,A1,,g\ufffdes\nsee,A1,look,\n#NAME?,A1,,\n'
  expect(read(text)).toEqual({ words: ['see|A1|en=look'], lines: [2, 3, 4, 6] })
})

test('several words in a cell share its level and meaning, but not forms that could belong to any', () => {
  const expected = { words: ['he|A1|en=a person', 'she|A1|en=a person'], lines: [3] }
  expect(read('word,level,meaning,forms\nhe/she,A1,a person,\nbig/small,A1,,bigger\n')).toEqual(expected)
})

test('reports a cell with several lines or parts of a verb', () => {
  const expected = { words: ['sit|A1'], lines: [2, 3] }
  expect(read('word,level\nrun<br>ran,A1\nrun | ran | run,A1\n<div>sit</div>,A1\n')).toEqual(expected)
})

test('Japanese readings are forms, and words with one reading are spellings of one word', () => {
  const text = 'expression,reading,meaning,level\n計る・測る,はかる,measure,B1\n川,かわ,river,A1\n'
  expect(wordsOf(text, 'ja')).toEqual(['計る|B1|en=measure|測る|はかる', '川|A1|en=river|かわ'])
})

describe('dictionaries', () => {
  test('CC-CEDICT: reads the simplified word and its meanings, but no measure words or references', () => {
    const text =
      '# CC-CEDICT\n#! version=1\n電視 电视 [dian4 shi4] /television/TV/CL:臺|台[tai2]/\nno entry\n'
    expect(read(text, 'zh')).toEqual({ words: ['电视|-|en=television; TV|電視'], lines: [4] })
  })

  const glosses = (lang: string, ...texts: string[]) => texts.map((text) => ({ lang, text }))
  const eat = { misc: [], gloss: [...glosses('eng', 'to eat'), ...glosses('spa', 'comer')] }
  const here = { misc: ['uk'], gloss: glosses('eng', 'here', 'this place') }
  const kanji = [{ text: '食べる' }, { text: '喰べる', tags: ['sK'] }]
  const jmdict = {
    version: '3.6.1',
    words: [
      { id: '1', kanji, kana: [{ text: 'たべる' }], sense: [eat] },
      { id: '2', kanji: [{ text: '此処' }], kana: [{ text: 'ここ' }], sense: [here] },
      'x',
    ],
  }

  test('JMdict Simplified: reads the usual spelling, readings and meanings', () => {
    expect(read(JSON.stringify(jmdict), 'ja')).toEqual({
      words: ['食べる|-|en=to eat|es=comer|たべる', 'ここ|-|en=here; this place|此処'],
      lines: [1],
    })
  })

  test('Yomitan: reads terms, readings and plain or structured meanings', () => {
    const structured = [{ type: 'structured-content', content: [{ tag: 'b', content: 'to run' }] }]
    const terms = [
      ['川', 'かわ', 'n', '', 5, ['river'], 1, ''],
      ['走る', 'はしる', 'v5', 'v5', 5, structured, 2, ''],
      ['坏', 1],
    ]
    const text = `[${terms.map((term) => JSON.stringify(term)).join(',\n')}]`
    expect(read(text, 'ja')).toEqual({ words: ['川|-|en=river|かわ', '走る|-|en=to run|はしる'], lines: [3] })
  })

  test('Yomitan: does not take meanings in the language itself for English', () => {
    expect(wordsOf('[["川","かわ","","",0,["水の流れ"],1,""]]', 'ja')).toEqual(['川|-|かわ'])
  })

  test('Wiktionary: reads words of the language, with the first meaning and the forms', () => {
    const inflected = [{ form: 'ran' }, { form: 'en-verb', tags: ['inflection-template'] }, { form: 'r(u)n' }]
    const pastOfRun = { glosses: ['past of run'], form_of: [{ word: 'run' }] }
    const entries = [
      { word: 'run', lang_code: 'en', senses: [{ glosses: ['To move quickly.'] }], forms: inflected },
      { word: 'ran', lang_code: 'en', senses: [pastOfRun] },
      { word: 'Lauf', lang_code: 'de', senses: [{ glosses: ['run'] }] },
    ]
    const expected = { words: ['run|-|en=To move quickly.|ran'], lines: [3] }
    expect(read(entries.map((entry) => JSON.stringify(entry)).join('\n'))).toEqual(expected)
    const stressed = { word: 'книга', senses: [{ glosses: ['book'] }], forms: [{ form: 'кни́ги' }] }
    expect(wordsOf(JSON.stringify(stressed), 'ru')).toEqual(['книга|-|en=book|книги'])
  })

  test.each([
    ['<?xml version="1.0"?><JMdict></JMdict>', 'use the JSON of jmdict-simplified'],
    ['{"title": "x"}', 'is JSON in an unknown format'],
    ['[1, 2]', 'is JSON in an unknown format'],
    ['{"words": [', 'is not valid JSON'],
  ])('refuses %s', (text, reason) => expect(() => read(text, 'ja')).toThrow(reason))

  test('refuses a dictionary of another language', () => {
    expect(() => read(JSON.stringify(jmdict), 'en')).toThrow('is not a dictionary of "en"')
  })
})

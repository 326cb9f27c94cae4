import { describe, expect, test } from 'vitest'
import { parseForm, parseHeadword } from '#corpus/import/words/headword.ts'

/** Cells with one word: its headword, and its other spellings. */
const spelled: [language: string, cell: string, word: string, ...forms: string[]][] = [
  ['en', 'forward(s)', 'forward', 'forwards'],
  ['en', '(to) climb', 'climb'],
  ['en', 'to climb', 'climb'],
  ['en', 'to and fro', 'to and fro'],
  ['en', 'favour (favor)', 'favour', 'favor'],
  ['en', 'theatre/theater', 'theatre', 'theater'],
  ['en', 'realise / realize', 'realise', 'realize'],
  ['en', 'p.m./P.M./pm', 'p.m.', 'P.M.', 'pm'],
  ['en', 'per cent/percent', 'per cent', 'percent'],
  ['en', 'turn (sth) off', 'turn off'],
  ['en', 'give sb/sth up', 'give up'],
  ['en', 'ask somebody out', 'ask somebody out'],
  ['en', 'wait (for)', 'wait', 'wait for'],
  ['en', 'bat (2)', 'bat'],
  ['en', 'bat²', 'bat'],
  ['en', '12. climb', 'climb'],
  ['en', '3) climb', 'climb'],
  ['en', 'climb v.', 'climb'],
  ['en', 'fast, adj., adv.', 'fast'],
  ['en', 'fast (adj)', 'fast'],
  ['en', 'mp3', 'mp3'],
  ['en', '24/7', '24/7'],
  ['en', 'km/h', 'km/h'],
  ['en', 'the river', 'river'],
  ['en', 'river*', 'river'],
  ['en', 'river /ˈrɪvə/', 'river'],
  ['en', 'river [sound:river.mp3]', 'river'],
  ['en', '{{c1::river::water}}', 'river'],
  ['en', 'ice-cream', 'ice-cream'],
  ['en', 'close2', 'close'],
  ['en', 'climb v', 'climb'],
  ['en', '• river', 'river'],
  ['fr', 'un(e) ami(e)', 'ami', 'amie'],
  ['fr', 'heureux(-euse)', 'heureux'],
  ['es', 'alto/a', 'alto'],
  ['pt', 'amigo/-a', 'amigo'],
  ['sv', 'att springa', 'springa'],
  ['de', 'der Hund, -e', 'Hund'],
  ['de', 'der Baum, ¨-e', 'Baum'],
  ['de', 'der Hund, die Hunde', 'Hund', 'Hunde'],
  ['de', 'der Apfel, "-', 'Apfel'],
  ['de', 'das Kind, "er', 'Kind'],
  ['de', 'der Ball “e', 'Ball'],
  ['de', 'die Mutter, "', 'Mutter'],
  ['de', '"Kind"', 'Kind'],
  ['de', 'der Apfel, ¨-', 'Apfel'],
  ['de', 'das Haus ⸚er', 'Haus'],
  ['de', 'das Foto (-s)', 'Foto'],
  ['de', 'der Vater, Väter', 'Vater', 'Väter'],
  ['de', 'Apfel, der, ¨-', 'Apfel'],
  ['de', 'das Bild (Pl. Bilder)', 'Bild', 'Bilder'],
  ['de', 'eine Lehrerin / -nen', 'Lehrerin'],
  ['de', 'ein bisschen', 'ein bisschen'],
  ['de', 'das Kind / die Kinder', 'Kind', 'Kinder'],
  ['de', 'der Hund – die Hunde', 'Hund', 'Hunde'],
  ['de', 'die Frau (die Frauen)', 'Frau', 'Frauen'],
  ['de', 'Haus n, ¨er', 'Haus'],
  ['pt', 'o pão / os pães', 'pão', 'pães'],
  ['fr', 'un œil / des yeux', 'œil', 'yeux'],
  ['de', 'auf|stehen', 'aufstehen'],
  ['de', 'auf·stehen', 'aufstehen'],
  ['de', 'der/die Verwandte', 'Verwandte'],
  ['de', 'Lehrer(in)', 'Lehrer', 'Lehrerin'],
  ['de', 'jdn. anrufen', 'anrufen'],
  ['fr', "l'arbre", 'arbre'],
  ['fr', 'le chien (m)', 'chien'],
  ['fr', 'un œuf, des œufs', 'œuf', 'œufs'],
  ['fr', 'un œil (des yeux)', 'œil', 'yeux'],
  ['fr', 'un/une élève', 'élève'],
  ['fr', 'un ami, une amie', 'ami', 'amie'],
  ['fr', 'un peu', 'un peu'],
  ['fr', 'un', 'un'],
  ['it', "un'amica, delle amiche", 'amica', 'amiche'],
  ['nl', 'het kind, de kinderen', 'kind', 'kinderen'],
  ['sv', 'en bil, bilen, bilar, bilarna', 'bil', 'bilen', 'bilar', 'bilarna'],
  ['sv', 'en flicka, -n, -or', 'flicka'],
  ['en', 'a child, children', 'child', 'children'],
  ['en', 'a lot', 'a lot'],
  ['es', 'el gato', 'gato'],
  ['es', 'un libro, unos libros', 'libro', 'libros'],
  ['es', 'a lo mejor', 'a lo mejor'],
  ['pt', 'a partir de', 'a partir de'],
  ['ca', 'col·lecció', 'col·lecció'],
  ['zh', '玩(儿)', '玩', '玩儿'],
  ['zh', '面（条）', '面', '面条'],
  ['zh', '学习（學習）', '学习', '學習'],
  ['zh', '花园 [huāyuán]', '花园'],
  ['zh', '长1', '长'],
  ['ja', '飲む [のむ]', '飲む', 'のむ'],
  ['ja', '学校（がっこう）', '学校', 'がっこう'],
  ['ja', '静か(な)', '静か', '静かな'],
  ['ja', '〜ばかり', 'ばかり'],
  ['ja', 'アイス・クリーム', 'アイス・クリーム'],
]

test.each(spelled)('%s "%s" is %s', (language, cell, word, ...forms) => {
  expect(parseHeadword(cell, language)).toEqual({ words: [word], forms })
})

test.each([
  ['en', 'he/him/his', ['he', 'him', 'his']],
  ['en', 'look after / look for', ['look after', 'look for']],
  ['en', 'these/those', ['these', 'those']],
  ['zh', '父/母', ['父', '母']],
  ['ja', '売る・買う', ['売る', '買う']],
  ['de', 'Lehrer/-in', ['Lehrer', 'Lehrerin']],
  ['de', 'der Vater / die Mutter', ['Vater', 'Mutter']],
])('%s "%s" has several words', (language, cell, words) => {
  expect(parseHeadword(cell, language)).toEqual({ words, forms: [] })
})

describe('an ambiguous cell is not', () => {
  test.each([
    ['en', 'bank (river)', 'has "(river)", which may be part of the word or a remark'],
    [
      'en',
      'get on/off',
      'has alternatives, and it is unclear whether they replace the whole word or a part of it',
    ],
    ['en', 'go, went, gone', 'has several words'],
    ['en', 'a mouse, mice', 'has several words'],
    ['de', 'der Vater, die Mutter', 'has several words'],
    ['en', 'bank (1', 'has an unmatched bracket'],
    ['en', '{{c1::go}} and {{c2::come}}', 'has several cloze deletions'],
    ['en', 'his (her)/its', 'has "(her)", which may be part of the word or a remark'],
  ])('%s "%s" %s', (language, cell, fault) => {
    expect(parseHeadword(cell, language)).toEqual({ fault })
  })
})

test('drops the article of a form, and an ending is not a form', () => {
  expect(['die Bäume', 'Bäume', '-e', '¨-e'].map((form) => parseForm(form, 'de'))).toEqual([
    'Bäume',
    'Bäume',
    '',
    '',
  ])
})

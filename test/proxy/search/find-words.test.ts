import { expect, test } from 'vitest'
import { findWords } from '#proxy/search/find-words.ts'
import type { Release } from '#release/release.ts'
import { SpellingsTable } from '#release/spellings/reader.ts'
import { writeSpellingsTable } from '#release/spellings/writer.ts'

/** A release with nothing but these English words, in the order of rows. */
function releaseOf(words: Record<string, string[]>): Release {
  const spelled = Object.entries(words).map(([headword, spellings]) => ({ headword, spellings }))
  const { length } = spelled
  const pieces = writeSpellingsTable([{ language: 'en', words: spelled }])
  return {
    words: { levels: new Uint8Array(length), rangeOf: () => ({ first: 0, clipsEnd: length, end: length }) },
    spellings: new SpellingsTable(new Uint8Array(Buffer.concat(pieces)), 'spellings.bin'),
  } as unknown as Release
}

function found(words: Record<string, string[]>, q: string): string[] {
  const all = { levelMask: 63, hasClips: false, offset: 0, limit: 100 }
  const { words: page } = findWords(releaseOf(words), q, 'en', all)
  return page.map(({ row, matchedForm }) =>
    matchedForm === undefined ? Object.keys(words)[row]! : `${Object.keys(words)[row]} (${matchedForm})`,
  )
}

// The model has the whole order; these are the ranks side by side.
test('the word itself comes first, then words spelled so, then those that begin with it, that contain it, that are spelled with it at the beginning', () => {
  const words = { twenty: [], wents: [], go: ['went'], vent: ['wenting'], went: [], wend: ['went', 'Went'] }
  expect(found(words, 'Went')).toEqual([
    'went',
    'go (went)',
    'wend (Went)',
    'wents',
    'twenty',
    'vent (wenting)',
  ])
})

test('a word is listed once, however often it holds the text, and by whole characters', () => {
  expect(found({ banana: [], an: [], ananas: ['anan'], ban: [] }, 'an')).toEqual([
    'an',
    'ananas',
    'banana',
    'ban',
  ])
  expect(found({ 猫: [], 小猫: [], か: [], が: [] }, 'か')).toEqual(['か'])
})

test('punctuation counts in a search', () => {
  expect(found({ 'Mr.': [], etc: ['et.'] }, 'et')).toEqual(['etc'])
  expect(found({ mister: ['Mr.'] }, 'mr')).toEqual(['mister (Mr.)'])
})

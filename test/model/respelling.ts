/** Generates other spellings of the same word, and spellings that are nearly the same. */
import fc from 'fast-check'
import { mostly, onceIn, weighted } from './chances.ts'

export function upperCase(text: string, language: string): string {
  return language === 'tr' ? text.toLocaleUpperCase('tr') : text.toUpperCase()
}

function capitalised(text: string, language: string): string {
  const [first = '', ...rest] = text
  return upperCase(first, language) + rest.join('')
}

/**
 * Generates another spelling of a text: another case, apostrophe, separators or Unicode
 * composition, or marks around it.
 */
export function respelled(spelling: string, language: string): fc.Arbitrary<string> {
  const cased = weighted<(text: string) => string>(
    [6, (text) => text],
    [2, (text) => capitalised(text, language)],
    [1, (text) => upperCase(text, language)],
  )
  const joiners = [' ', '-', '‐', '‑', ', ', '. ', '! ', '… ', '  ', ' "']
  const joiner = mostly<string | null>(10, null, ...joiners)
  const apostrophe = mostly<string | null>(3, null, "'", '’', '‘', 'ʼ')
  const marks = [`""`, '“”', '()', '[]', `''`, '«»', '「」', '__', '……', '--']
  const around = mostly(14, ['', ''], ['', '!?'], ...marks.map((pair) => [...pair])) as fc.Arbitrary<
    [string, string]
  >
  return fc
    .tuple(cased, joiner, apostrophe, around, onceIn(12))
    .map(([casing, between, quote, [open, close], apart]) => {
      let text = casing(spelling)
      if (between !== null) text = text.replace(/(?<=[\p{L}\p{N}])[ -](?=[\p{L}\p{N}])/gu, between)
      if (quote !== null) text = text.replace(/(?<=[\p{L}\p{N}])['’](?=[\p{L}\p{N}])/gu, quote)
      if (apart) text = text.normalize('NFD')
      return open + text + close
    })
}

/** Generates the text unchanged, in capitals, or with random case, by the rules of the language. */
export function anyCase(text: string, language: string): fc.Arbitrary<string> {
  const letters = [...text]
  const mixed = fc
    .tuple(
      ...letters.map((letter) => fc.boolean().map((loud) => (loud ? upperCase(letter, language) : letter))),
    )
    .map((cased) => cased.join(''))
  return fc.oneof(fc.constant(text), fc.constant(upperCase(text, language)), mixed)
}

/** Generates the text unchanged, decomposed, without its marks, or with one more. */
export function anyMarks(text: string): fc.Arbitrary<string> {
  const apart = text.normalize('NFD')
  return weighted(
    [4, text],
    [1, apart],
    [2, apart.replace(/\p{M}/gu, '').normalize('NFC')],
    [1, text.replace(/(\p{L})/u, '$1\u0301')],
    [1, `${text}\u0308`],
  )
}

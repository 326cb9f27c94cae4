import type * as PinyinPro from 'pinyin-pro'
import { createRequire } from 'node:module'
import type * as ChineseSpellings from '../spellings/chinese.ts'
import type { AnalysedWord, Reading, TextAnalyser, Vocabulary } from './analyser.ts'
import { segment } from '../segment.ts'
import { readInContext } from './chinese-readings.ts'
import { constructionFinder } from './chinese-constructions.ts'
import { readLists } from './data-file.ts'

const require = createRequire(import.meta.url)
const isIn = readLists('chinese-words.txt')

/** The words that a measure word follows. */
const beforeMeasureWord = /(?:[这那哪每几某各這幾两兩半\d一二三四五六七八九十百千万萬]|第.)$/

interface Segment {
  text: string
  start: number
  /** Whether its boundaries are not those of the segmenter. */
  isMoved?: boolean
}

/**
 * The Chinese analyser corrects the tokens of the segmenter by the catalogue:
 *
 * - Tokens that, joined, are a word of the catalogue are that word, if one of them is a single
 *   character: 测|试 does not contain 测.
 * - Other adjacent single characters are a word that the catalogue lacks, unless one is a word of
 *   grammar: 缓|存 does not say 缓.
 * - A token that the catalogue lacks is taken apart into its words, if it does not look like a word
 *   of its own: if a part is a word of grammar (一个), all are longer than a character (昨天晚上), a
 *   longer one has an ending or a prefix (咖啡店, 副总统), or it is a verb with an object (看书).
 * - Words that are doubled or divided are found as a whole (`constructionFinder`). Words with 儿
 *   are also found without it, and words without 儿 also with it.
 * - A text in the other script (圖書館, 图书馆) is converted to that of the catalogue.
 */
export function openChinese(vocabulary: Vocabulary): TextAnalyser {
  // Loaded only when needed, like pinyin-pro below.
  const { toScriptOf } = require('../spellings/chinese.ts') as typeof ChineseSpellings
  const convert = toScriptOf(vocabulary.headwords)
  const headwords = new Set(vocabulary.headwords)
  const spellings = withErhua(vocabulary)
  const constructionsIn = constructionFinder(vocabulary)
  const wordsIn = (original: string) => {
    const conversion = convert(original)
    const isConverted = conversion !== original && conversion.length === original.length
    const text = isConverted ? conversion : original
    const { constructions, tokens } = constructionsIn(text, segment(text, 'zh'))
    // The spelling of a token finds its word only in the catalogue's script.
    const isNamed = (word: string) => isConverted && headwords.has(word)
    const dividedTokens = divideAgain(tokens, spellings)
    const words = wordsOf(dividedTokens, spellings, isNamed).filter((word) => !isPartOfNumber(text, word))
    return [...constructions, ...words].sort((a, b) => a.start - b.start)
  }
  return {
    analyse: (texts, withReadings = false) =>
      texts.map((text) => ({ words: wordsIn(text), readings: withReadings ? readingsOf(text) : [] })),
  }
}

/**
 * Moves the first character of a token to the previous token if both are then words of the
 * catalogue: 实际|上有 becomes 实际上|有.
 */
function divideAgain(tokens: readonly Segment[], vocabulary: Spellings): Segment[] {
  const result: Segment[] = []
  for (const [i, { text, start }] of tokens.entries()) {
    const before = result.at(-1)
    const [head, rest] = [text.slice(0, 1), text.slice(1)]
    const tail = { text: rest, start: start + 1, isMoved: true }
    if (before && touches(tokens, i) && isDividedLater(before.text, head, rest, vocabulary))
      result.splice(-1, 1, { ...before, text: before.text + head, isMoved: true }, tail)
    else result.push({ text, start })
  }
  return result
}

function isDividedLater(before: string, head: string, rest: string, vocabulary: Spellings): boolean {
  const isWord = (text: string) => vocabulary.has(text) || isIn('grammar', text)
  return (
    !isWord(head + rest) && !isIn('indivisible', head + rest) && vocabulary.has(before + head) && isWord(rest)
  )
}

/** The words of a catalogue, by their spellings with and without 儿. */
interface Spellings {
  has(text: string): boolean
  /** Returns the word that a text spells, or the text if it spells none. */
  wordOf(text: string): string
}

function withErhua({ headwords, has }: Vocabulary): Spellings {
  const ending = /(?<=.)[儿兒]$/
  const withEnding = headwords.filter((word) => ending.test(word) && !isIn('child', word))
  const byBase = new Map(withEnding.map((word) => [word.replace(ending, ''), word]))
  const wordOf = (text: string) => {
    if (has(text)) return text
    const base = text.replace(ending, '')
    return base !== text && has(base) && !isIn('child', text) ? base : (byBase.get(text) ?? text)
  }
  return { has: (text) => has(wordOf(text)), wordOf }
}

/** Returns the pinyin of each character, which depends on its neighbours. */
function readingsOf(text: string): Reading[] {
  // Loaded only here: the image of the proxy, whose `doctor` imports this file, does not have it.
  const { pinyin } = require('pinyin-pro') as typeof PinyinPro
  const syllables = pinyin(text, { type: 'array' })
  const readings = new Map<number, string>()
  let end = 0
  for (const [i, character] of [...text].entries()) {
    if (/^\p{Script=Han}$/u.test(character) && syllables[i] !== character) readings.set(end, syllables[i]!)
    end += character.length
  }
  return [...readInContext(text, readings)].map(([start, reading]) => ({
    start,
    end: start + String.fromCodePoint(text.codePointAt(start)!).length,
    reading,
  }))
}

const numerals = '一二两三四五六七八九十百千万亿兩萬億'
const wholly = new RegExp(`^[${numerals}多余餘]+$`)
const numeral = new RegExp(`[\\d${numerals}]`)

/** 三十|二年, 1.3|万余: a number of several characters is one word. */
function isPartOfNumber(text: string, { start, end }: AnalysedWord): boolean {
  return wholly.test(text.slice(start, end)) && numeral.test(text.charAt(start - 1) + text.charAt(end))
}

/**
 * Returns the words that the spellings of tokens do not give. `isNamed` tells which words are also
 * returned if they are exactly one token.
 */
function wordsOf(
  tokens: readonly Segment[],
  vocabulary: Spellings,
  isNamed: (word: string) => boolean,
): AnalysedWord[] {
  const words: AnalysedWord[] = []
  for (let i = 0; i < tokens.length;) {
    const count = joinedFrom(tokens, i, vocabulary) || unknownFrom(tokens, i, vocabulary) || 1
    const { text, start, isMoved = false } = tokens[i]!
    const word = vocabulary.wordOf(text)
    if (count > 1 || (vocabulary.has(text) && (isMoved || word !== text || isNamed(word))))
      words.push(wordOf(joinTexts(tokens, i, count), start, vocabulary))
    else if (!vocabulary.has(text) && !isIn('indivisible', text))
      words.push(...takeApart(text, start, vocabulary))
    i += count
  }
  return words
}

/** The length of the longest headword. */
const mostJoined = 4

/**
 * Returns the largest number of tokens, at least two, that start at a position and together are a
 * word of the catalogue; 0 if there is no such word.
 */
function joinedFrom(tokens: readonly Segment[], from: number, vocabulary: Spellings): number {
  let touching = 1
  while (touching < mostJoined && touches(tokens, from + touching)) touching++
  while (touching > 1 && !vocabulary.has(joinTexts(tokens, from, touching))) touching--
  return touching > 1 ? touching : 0
}

/** Returns how many single characters form a word that the catalogue lacks; 0 if none do. */
function unknownFrom(tokens: readonly Segment[], from: number, vocabulary: Spellings): number {
  let end = from
  if (isMeasureWord(tokens, from)) return 0
  while (isPiece(tokens[end]) && (end === from || touches(tokens, end))) {
    if (end > from && joinedFrom(tokens, end, vocabulary) > 0) break
    end++
  }
  const pieces = tokens.slice(from, end).map(({ text }) => text)
  return pieces.length === 1 || (pieces.length === 2 && isGlued(pieces)) ? 0 : pieces.length
}

function isPiece(token: Segment | undefined): boolean {
  if (token === undefined || !/^\p{Script=Han}$/u.test(token.text)) return false
  return !isIn('grammar', token.text) && !isIn('standAlone', token.text)
}

/** 这|本|书, 2020|年 */
function isMeasureWord(tokens: readonly Segment[], i: number): boolean {
  return (
    beforeMeasureWord.test(tokens[i - 1]?.text ?? '') &&
    touches(tokens, i) &&
    isIn('measure', tokens[i]!.text)
  )
}

function touches(tokens: readonly Segment[], i: number): boolean {
  const [before, token] = [tokens[i - 1]!, tokens[i]]
  return token !== undefined && before.start + before.text.length === token.start
}

function joinTexts(tokens: readonly Segment[], from: number, count: number): string {
  const texts = tokens.slice(from, from + count).map(({ text }) => text)
  return texts.join('')
}

function wordOf(text: string, start: number, vocabulary: Spellings): AnalysedWord {
  return { start, end: start + text.length, lemmas: [vocabulary.wordOf(text)], isFunctionWord: false }
}

function takeApart(token: string, start: number, vocabulary: Spellings): AnalysedWord[] {
  const parts = partsOf(token, vocabulary)
  if (parts === null || !isGlued(parts)) return []
  let at = start
  const words = parts.map((part) => wordOf(part, (at += part.length) - part.length, vocabulary))
  if (isIn('adverbial', token)) return words.slice(-1)
  return words.filter(({ lemmas }) => !isIn('suffix', lemmas[0]!))
}

/** Whether parts are words that the segmenter joined, not characters of an unlisted word. */
function isGlued(parts: readonly string[]): boolean {
  if (parts.some((part) => isIn('grammar', part))) return true
  const [first, second, third] = parts as [string, string, string?]
  const isPair = third === undefined
  if (parts.some((part) => part.length > 1))
    return (
      parts.some((part) => isIn('ambiguous', part)) || (isPair && (first.length > 1 || isIn('prefix', first)))
    )
  if (isPair && isIn('complement', second)) return true
  if (isPair && isIn('object', second) && (isIn('verb', first) || isIn('prefix', first))) return true
  return parts.every((part) => isIn('ambiguous', part))
}

/** Returns the fewest words that make up a token, longer ones first; null if there are none. */
function partsOf(token: string, vocabulary: Spellings): string[] | null {
  const isKnown = (part: string) => vocabulary.has(part) || isIn('indivisible', part)
  for (let length = Math.min(token.length - 1, 4); length > 0; length--) {
    const head = token.slice(0, length)
    if (!isKnown(head) && !isIn('grammar', head) && !isIn('ambiguous', head)) continue
    const rest = token.slice(length)
    if (isKnown(rest) || isIn('grammar', rest)) return [head, rest]
    const tail = partsOf(rest, vocabulary)
    if (tail) return [head, ...tail]
  }
  return null
}

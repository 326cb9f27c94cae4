import type { PlacedText } from '../segment.ts'
import type { AnalysedWord, Vocabulary } from './analyser.ts'
import { readLists } from './data-file.ts'

const isIn = readLists('chinese-words.txt')

/** The words that can separate a verb and its object: aspect, possessor, number, measure word. */
const between =
  '[了过過着著起完好不得]{0,2}(?:(?:我|你|您|他|她|别人|別人|人家|大家|谁|誰)[们們]?的?)?' +
  '(?:[一二两兩三四五六七八九十几幾半多好这這那哪]{1,3})?(?:小时|小時|分钟|分鐘|[个個次下场場顿頓回趟天年点點会會些只句首声聲杯份])?' +
  '[儿兒]?(?:什么|什麼|多少|很多|热水|大|好)?的?'

/** Doubled characters: 高高兴兴; 洗洗澡, 洗一洗澡; 听听, 听一听, 听了听. */
const pairs = /(\p{Script=Han})\1(\p{Script=Han})\2/gu
const doubledBeforeObject = /(\p{Script=Han})[一了]?\1(\p{Script=Han})/gu
const doubledCharacter = /(\p{Script=Han})(?:[一了]|了一)?\1/gu

/**
 * Returns a function that finds words of a vocabulary that are doubled or split in a text (听听,
 * 高高兴兴, 洗了个澡), and the remaining tokens of the text.
 */
export function constructionFinder({ headwords, has }: Vocabulary) {
  const dividedVerbs = headwords.filter((word) => isIn('divided', word))
  const verbs = [...Map.groupBy(dividedVerbs, (word) => word.charAt(0))].map(([verb, words]) => {
    const objects = words.map((word) => word.slice(1))
    return new RegExp(`${verb}${between}(${objects.join('|')})`, 'gu')
  })
  const isDivided = (word: string) => isIn('divided', word) && has(word)
  const isDoubled = (verb: string) => (isIn('doubled', verb) || isIn('verb', verb)) && has(verb)

  return (text: string, tokens: readonly PlacedText[]) => {
    const constructions: AnalysedWord[] = []
    const add = (
      pattern: RegExp,
      wordOf: (match: RegExpExecArray) => string,
      isWanted = (_word: string) => true,
    ) => {
      for (const match of text.matchAll(pattern)) {
        const word = wordOf(match)
        const [start, end] = [match.index, match.index + match[0].length]
        if (!isWanted(word) || has(match[0]) || isCutting(tokens, start, end)) continue
        if (constructions.some((other) => start < other.end && other.start < end)) continue
        constructions.push({ start, end, lemmas: [word], isFunctionWord: false })
      }
    }
    add(pairs, ([, a, b]) => a! + b!, has)
    add(doubledBeforeObject, ([, a, b]) => a! + b!, isDivided)
    add(doubledCharacter, ([, verb]) => verb!, isDoubled)
    for (const verb of verbs) add(verb, ([match, object]) => match[0]! + object!)
    return { constructions, tokens: tokens.flatMap((token) => remainder(token, constructions)) }
  }
}

/** Whether a construction would start or end in the middle of a word: 听|听众 is not 听听. */
function isCutting(tokens: readonly PlacedText[], start: number, end: number): boolean {
  return tokens.some((token) => {
    const tokenEnd = token.start + token.text.length
    const beginsInside = start > token.start && start < tokenEnd && end > tokenEnd
    return beginsInside || (token.start > start && token.start < end && tokenEnd > end)
  })
}

/** Returns the parts of a token before and after the constructions in it. */
function remainder({ text, start }: PlacedText, constructions: readonly AnalysedWord[]): PlacedText[] {
  const end = start + text.length
  const inside = constructions.filter((one) => one.start < end && one.end > start)
  let at = start
  const parts = inside
    .toSorted((a, b) => a.start - b.start)
    .map((one) => {
      const part = { text: text.slice(at - start, Math.max(0, one.start - start)), start: at }
      at = Math.min(end, one.end)
      return part
    })
  return [...parts, { text: text.slice(at - start), start: at }].filter((part) => part.text !== '')
}

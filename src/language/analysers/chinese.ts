import type { TextAnalyser, AnalysedWord, Vocabulary } from './analyser.ts'
import { segment } from '../segment.ts'

/** Words of grammar that are hardly ever part of a longer word. */
const grammar = setOf(
  '一 二 两 三 四 五 六 七 八 九 十 百 千 万 几 每 各 某 第 兩 幾 萬 个 個 些 种 種 我 你 您 他 她 它 咱 我们 你们 他们 她们 它们 我們 你們 他們 她們 它們 自己 这 那 哪 这个 那个 这些 那些 這 這個 那個 這些 是 的 得 了 着 过 著 過 在 没 没有 沒 沒有 不 也 就 都 很 又 再 才 更 最 太 并 並 较 較 吗 呢 吧 啊 嗎 把 被 会 會 可以 应该 應該 该 該 将 將 此 所 到 只 以',
)

/**
 * Words of grammar that are often part of longer words: 本 is a measure word, but not in 文本. They
 * are measure words, prepositions, auxiliaries and postpositions.
 */
const ambiguous = setOf(
  '半 次 条 本 张 位 件 块 天 年 月 日 号 点 分 條 隻 張 塊 號 點 地 有 还 還 让 给 对 从 向 往 用 比 跟 和 与 讓 給 對 從 與 能 要 想 可 之 其 为 为了 當 当 為 来 去 上 下 里 中 前 后 外 内 來 裡 後 內 說 说 看 做',
)

/** Other characters that are words of their own where the segmenter leaves them alone. */
const standAlone = setOf(
  '地 有 还 還 让 给 对 从 向 往 比 跟 和 与 讓 給 對 從 與 能 要 想 其 为 當 当 為 来 去 上 下 里 中 前 后 外 内 來 裡 後 內 說 说 于 於 由 使 请 請 但 而 若 如 即 则 則 因 另 时 時 像 等 越',
)

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '))
}

type Segment = ReturnType<typeof segment>[number]

/**
 * The Chinese analyser corrects the tokens of the segmenter by the catalogue:
 *
 * - Tokens that, joined, are a word of the catalogue are that word, if one of them is a single
 *   character: 测|试 does not say 测.
 * - Other single characters side by side are a word that the catalogue lacks, if none is a word of
 *   grammar: 缓|存 does not say 缓.
 * - A token that the catalogue lacks is taken apart, if one of its parts is a word of grammar: 一个
 *   is 一 and 个.
 */
export function openChinese(vocabulary: Vocabulary): TextAnalyser {
  return { analyse: (texts) => texts.map((text) => wordsOf(segment(text, 'zh'), vocabulary)) }
}

function wordsOf(tokens: readonly Segment[], vocabulary: Vocabulary): AnalysedWord[] {
  const words: AnalysedWord[] = []
  for (let i = 0; i < tokens.length;) {
    const count = joinedFrom(tokens, i, vocabulary) || unknownFrom(tokens, i, vocabulary) || 1
    const { text, start } = tokens[i]!
    if (count > 1) words.push(wordOf(joined(tokens, i, count), start))
    else if (!vocabulary.has(text)) words.push(...takeApart(text, start, vocabulary))
    i += count
  }
  return words
}

/** No headword is longer. */
const mostJoined = 4

/** How many tokens from one on are a catalogue word together, the most first; 0 if none are. */
function joinedFrom(tokens: readonly Segment[], from: number, vocabulary: Vocabulary): number {
  let touching = 1
  while (touching < mostJoined && touches(tokens, from + touching)) touching++
  for (let count = touching; count > 1; count--) {
    const hasSingle = tokens.slice(from, from + count).some(({ text }) => text.length === 1)
    if (hasSingle && vocabulary.has(joined(tokens, from, count))) return count
  }
  return 0
}

/** How many single characters from one on are a word that the catalogue lacks; 0 if none are. */
function unknownFrom(tokens: readonly Segment[], from: number, vocabulary: Vocabulary): number {
  let end = from
  while (isPiece(tokens[end]) && (end === from || touches(tokens, end))) {
    if (end > from && joinedFrom(tokens, end, vocabulary) > 0) break
    end++
  }
  return end - from > 1 ? end - from : 0
}

function isPiece(token: Segment | undefined): boolean {
  if (token === undefined || !/^\p{Script=Han}$/u.test(token.text)) return false
  return !grammar.has(token.text) && !standAlone.has(token.text)
}

function touches(tokens: readonly Segment[], i: number): boolean {
  const [before, token] = [tokens[i - 1]!, tokens[i]]
  return token !== undefined && before.start + before.text.length === token.start
}

function joined(tokens: readonly Segment[], from: number, count: number): string {
  return tokens
    .slice(from, from + count)
    .map(({ text }) => text)
    .join('')
}

function wordOf(text: string, start: number): AnalysedWord {
  return { start, end: start + text.length, lemmas: [text], isFunctionWord: false }
}

function takeApart(token: string, start: number, vocabulary: Vocabulary): AnalysedWord[] {
  const parts = partsOf(token, vocabulary)
  if (parts === null || !isGlued(parts)) return []
  let at = start
  return parts.map((part) => {
    const word = wordOf(part, at)
    at = word.end
    return word
  })
}

function isGlued(parts: readonly string[]): boolean {
  if (parts.some((part) => grammar.has(part))) return true
  const isLong = parts.some((part) => part.length > 1)
  return isLong ? parts.some((part) => ambiguous.has(part)) : parts.every((part) => ambiguous.has(part))
}

/** The fewest words that make up a token, the longer first; null where there are none. */
function partsOf(token: string, vocabulary: Vocabulary): string[] | null {
  for (let length = Math.min(token.length - 1, 4); length > 0; length--) {
    const head = token.slice(0, length)
    if (!vocabulary.has(head) && !grammar.has(head) && !ambiguous.has(head)) continue
    const rest = token.slice(length)
    if (vocabulary.has(rest)) return [head, rest]
    const tail = partsOf(rest, vocabulary)
    if (tail) return [head, ...tail]
  }
  return null
}

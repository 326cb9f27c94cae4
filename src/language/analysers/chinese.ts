import type { Analyser, AnalysedWord, Vocabulary } from './analyser.ts'
import { segment } from '../segment.ts'

/**
 * Numerals, measure words, pronouns, particles and auxiliaries that the segmenter leaves on the
 * word beside them.
 */
const functionWords = new Set(
  '一 二 两 三 四 五 六 七 八 九 十 百 千 万 几 半 每 各 某 第 兩 幾 萬 个 些 次 种 条 只 本 张 位 件 块 天 年 月 日 号 点 分 個 種 條 隻 張 塊 號 點 我 你 您 他 她 它 咱 我们 你们 他们 她们 它们 我們 你們 他們 她們 它們 自己 这 那 哪 这个 那个 这些 那些 這 這個 那個 這些 是 的 地 得 了 着 过 著 過 在 有 没 没有 沒 沒有 不 也 就 都 很 还 又 再 才 更 最 太 只 並 并 還 吗 呢 吧 啊 嗎 把 被 让 给 对 从 向 往 用 比 跟 和 与 讓 給 對 從 與 会 能 要 想 可 可以 应该 應該 會 所 之 以 其 为 为了 當 当 為 来 去 到 上 下 里 中 前 后 外 内 來 裡 後 說 说 看 做'.split(
    ' ',
  ),
)

/** A token of the segmenter. */
type Segment = ReturnType<typeof segment>[number]

/**
 * The Chinese analyser. Tokens that, joined, are a word of the catalogue are that word, where one
 * of them is a single character: 测|试 is no 测. A token that is no word of the catalogue, and that is
 * nothing but words of it of which one is a function word, is those words: 一个 is 一 and 个. Other
 * compounds stay what they are.
 */
export function openChinese(vocabulary: Vocabulary): Analyser {
  return { analyse: (texts) => texts.map((text) => wordsOf(segment(text, 'zh'), vocabulary)) }
}

function wordsOf(tokens: readonly Segment[], vocabulary: Vocabulary): AnalysedWord[] {
  const words: AnalysedWord[] = []
  for (let i = 0; i < tokens.length;) {
    const count = joinedFrom(tokens, i, vocabulary)
    const { text, start } = tokens[i]!
    if (count > 1) words.push(wordOf(joined(tokens, i, count), start))
    else if (!vocabulary.has(text)) words.push(...takeApart(text, start, vocabulary))
    i += count
  }
  return words
}

/** No headword is longer. */
const mostJoined = 4

/** How many tokens from one on are a word together, the most first; 1 where none are. */
function joinedFrom(tokens: readonly Segment[], from: number, vocabulary: Vocabulary): number {
  let touching = 1
  while (touching < mostJoined && touches(tokens, from + touching)) touching++
  for (let count = touching; count > 1; count--) {
    const hasSingle = tokens.slice(from, from + count).some(({ text }) => text.length === 1)
    if (hasSingle && vocabulary.has(joined(tokens, from, count))) return count
  }
  return 1
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
  if (parts === null || !parts.some((part) => functionWords.has(part))) return []
  let at = start
  return parts.map((part) => {
    const word = wordOf(part, at)
    at = word.end
    return word
  })
}

/** The fewest words that make up a token, the longer first; null where there are none. */
function partsOf(token: string, vocabulary: Vocabulary): string[] | null {
  for (let length = Math.min(token.length - 1, 4); length > 0; length--) {
    const head = token.slice(0, length)
    if (!vocabulary.has(head) && !functionWords.has(head)) continue
    const rest = token.slice(length)
    if (vocabulary.has(rest)) return [head, rest]
    const tail = partsOf(rest, vocabulary)
    if (tail) return [head, ...tail]
  }
  return null
}

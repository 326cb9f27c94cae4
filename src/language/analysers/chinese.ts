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

/** What a measure word follows. */
const counted = /(?:[这那哪每几某各這幾两兩半\d一二三四五六七八九十百千万萬]|第.)$/
const measures = charactersOf(
  '本张張条條只隻个個位件块塊天年月日号號点點分次岁歲元米吨噸名座层層部种種场場杯瓶碗口句首篇页頁双雙套间間家所届屆期代世周週队隊站节節课課幅辆輛台架艘把根支棵朵匹头頭群批类類段步声聲遍',
)
/** What begins a word of one more character than another: 副总统, 大城市. */
const prefixes = charactersOf('大小老新旧好坏男女副总全多半单双前后高低各')
/** What follows a verb and is taken off: 位于, 成为, 来自. */
const complements = charactersOf('为為于於自至有以')
/** Verbs of one character, and what is said of them as their object: 看书, 喝水. */
const verbs = charactersOf(
  '看喝吃买買卖賣写寫读讀听聽唱打开開关關坐骑騎洗穿戴拿带帶找借还還送寄教画畫煮炒切倒种種养養修玩放搬住去来來进進出回爬用付换換选選讲講想爱愛怕有下取切吹落等坐走飞飛',
)
const objects = charactersOf(
  '书書水饭飯茶酒菜肉鱼魚面麵药藥车車球歌字信门門窗灯燈手脸臉脚腳头頭衣鞋帽包钱錢票花树樹草狗猫貓鸟鳥马馬牛鸡雞蛋糖汤湯奶纸紙笔筆画畫报報课課题題话話店楼樓山海路桥橋房床桌椅刀碗杯瓶人雨雪风風块塊',
)

/** Words whose characters say other words than they do. */
const indivisible = setOf(
  '日本 中国 中國 天主 天主教 东西 東西 一起 一样 一樣 一定 一直 一般 一切 不同 不过 不過 不但 不如 不错 不錯 不得 不管 没事 沒事 这样 這樣 那样 那樣 都市 万一 萬一 千万 千萬 百姓 十分 十全 也许 也許 最近 再见 再見 更加 个人 個人 个性 個性 个子 個子 马上 馬上 其实 其實 其他 其它 其中 因此 要是 对象 對象 对方 對方 大人 小人 大家 小心 小说 小說 大学 大學 小学 小學 中学 中學 老师 老師 老板 好像 好人 对于 對於 由于 由於 关于 關於 至于 至於 终于 終於 以为 以為 认为 認為 因为 因為 所以 可是 但是 还是 還是 只是 只有 没有 沒有 所有 自有 四方 千秋 有人 有点 有點 点心 點心',
)

function charactersOf(text: string): ReadonlySet<string> {
  return new Set(text)
}

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
 * - A token that the catalogue lacks is taken apart into its words, if it does not look like a word
 *   of its own: if a part is a word of grammar (一个), all are longer than a character (昨天晚上), a
 *   longer one has an ending or a prefix (咖啡店, 副总统), or it is a verb with an object (看书).
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
    else if (!vocabulary.has(text) && !indivisible.has(text))
      words.push(...takeApart(text, start, vocabulary))
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
  return !grammar.has(token.text) && !standAlone.has(token.text)
}

/** 这|本|书, 2020|年 */
function isMeasureWord(tokens: readonly Segment[], i: number): boolean {
  return counted.test(tokens[i - 1]?.text ?? '') && touches(tokens, i) && measures.has(tokens[i]!.text)
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

/**
 * Whether parts are words that the segmenter joined, rather than the characters of a word that the
 * catalogue lacks.
 */
function isGlued(parts: readonly string[]): boolean {
  if (parts.some((part) => grammar.has(part))) return true
  if (parts.every((part) => part.length > 1)) return true
  if (parts.some((part) => part.length > 1)) {
    if (parts.some((part) => ambiguous.has(part))) return true
    return parts.length === 2 && (parts[0]!.length > 1 || prefixes.has(parts[0]!))
  }
  if (
    parts.length === 2 &&
    (complements.has(parts[1]!) ||
      ((verbs.has(parts[0]!) || prefixes.has(parts[0]!)) && objects.has(parts[1]!)))
  )
    return true
  return parts.every((part) => ambiguous.has(part))
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

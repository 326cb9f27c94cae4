import { commonlyInKana } from '../commonly-in-kana.ts'
import type { AnalysedWord, TextAnalyser } from './analyser.ts'

/** A morpheme as Sudachi names it: surface, dictionary form, normalised form, part of speech. */
export interface Morpheme {
  surface: string
  dictionary_form: string
  normalized_form: string
  poses: readonly string[]
}

interface PlacedMorpheme extends Morpheme {
  start: number
  end: number
}

const japaneseScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const kana = /^[\p{Script=Hiragana}\p{Script=Katakana}ー]+$/u
const han = /\p{Script=Han}/u
const oneKana = /^[\p{Script=Hiragana}\p{Script=Katakana}]$/u

/**
 * The Japanese analyser: the morphemes of Sudachi, each with its dictionary form (食べ → 食べる)
 * and its normalised form (たべる → 食べる).
 */
export function japaneseAnalyser(tokenise: (text: string) => readonly Morpheme[]): TextAnalyser {
  return { analyse: (texts) => texts.map((text) => wordsOf(tokenise(text))) }
}

function wordsOf(tokens: readonly Morpheme[]): AnalysedWord[] {
  const morphemes = placed(tokens)
  const words: AnalysedWord[] = []
  for (let i = 0; i < morphemes.length;) {
    const joined = compoundParticle(morphemes, i) ?? conjunction(morphemes, i)
    const count = joined?.count ?? 1
    if (joined) words.push(joined.word)
    else if (isWord(morphemes[i]!)) words.push(...compounds(morphemes, i), ...wordsAt(morphemes, i))
    i += count
  }
  return words
}

function placed(tokens: readonly Morpheme[]): PlacedMorpheme[] {
  let end = 0
  return tokens.map((token) => {
    const start = end
    end += token.surface.length
    return { ...token, start, end }
  })
}

/** Punctuation and blanks, which are no words. */
function isWord({ poses }: Morpheme): boolean {
  return poses[0] !== '補助記号' && poses[0] !== '空白'
}

/** What a form of a verb that stands as a noun is followed by, if by anything: 行きは. */
const afterNoun = new Set(['が', 'を', 'は', 'も', 'の', 'から'])

function wordsAt(morphemes: readonly PlacedMorpheme[], i: number): AnalysedWord[] {
  const { surface, dictionary_form: dictionary, start, end, poses } = morphemes[i]!
  const word = { start, end, lemmas: lemmasOf(morphemes[i]!), isFunctionWord: isFunctionWord(poses) }
  const next = morphemes[i + 1]?.surface
  const isNoun = han.test(surface) && surface !== dictionary && (next === undefined || afterNoun.has(next))
  return isNoun ? [word, { ...word, lemmas: [surface] }] : [word]
}

function lemmasOf(morpheme: PlacedMorpheme): string[] {
  const { surface, dictionary_form: dictionary, normalized_form: normalised, poses } = morpheme
  // As an adjective, ない is written 無い; the auxiliary never is.
  if (dictionary === 'ない' && poses[0] === '形容詞') return ['無い', 'ない', surface]
  const written = isFunctionWord(poses) ? undefined : commonlyInKana.get(dictionary)
  const others = isNormalisedForm(morpheme) ? [normalised] : []
  return [...new Set([dictionary, ...others, ...(written === undefined ? [] : [written]), surface])]
}

/**
 * Whether the normalised form names the word that is said. Latin letters are names (POST is not
 * ポスト, a mailbox), and a suffix or noun of one kana is too little to tell (これら has no 等).
 */
function isNormalisedForm({ surface, poses }: Morpheme): boolean {
  if (!japaneseScript.test(surface)) return false
  return !(oneKana.test(surface) && (poses[0] === '接尾辞' || poses[0] === '名詞'))
}

const grammar = new Set(['助詞', '助動詞', '接続詞', '連体詞', '感動詞', '接頭辞', '接尾辞'])

/**
 * Particles, auxiliaries, the stems of auxiliaries, such as よう in ようだ, and other words that are
 * never a reading of a word in kanji: いえ ("no") is not 家.
 */
function isFunctionWord([pos, kind]: readonly string[]): boolean {
  return grammar.has(pos!) || kind === '助動詞語幹'
}

interface Joined {
  word: AnalysedWord
  count: number
}

/** The verb in a compound particle has lost its meaning: として does not say する. */
const compoundParticles = new Set(['として', 'について', 'にとって', 'によって', 'において'])
/** What a compound particle follows; しようとして ("trying to") follows a verb. */
const nominal = new Set(['名詞', '代名詞', '接尾辞', '形状詞', '補助記号', '空白'])

function compoundParticle(morphemes: readonly PlacedMorpheme[], i: number): Joined | null {
  const text = textOf(morphemes, i, 3)
  if (!compoundParticles.has(text) || !nominal.has(morphemes[i - 1]?.poses[0] ?? '')) return null
  const lemmas = text === 'について' ? [text, 'ついて'] : [text]
  return { word: wordFrom(morphemes, i, 3, lemmas, true), count: 3 }
}

/**
 * Conjunctions that are spelled like the end of a clause: では is a conjunction in "では、始めます"
 * and two particles in "ここでは".
 */
export const clauseLikeConjunctions: ReadonlySet<string> = new Set([
  'では',
  'でも',
  'すると',
  'だと',
  'だから',
  'だって',
  'ですから',
  'したがって',
])

/** Sudachi always takes these conjunctions apart. They stand only where a clause begins. */
function conjunction(morphemes: readonly PlacedMorpheme[], i: number): Joined | null {
  if (i > 0 && isWord(morphemes[i - 1]!)) return null
  const text = textOf(morphemes, i, 2)
  if (!clauseLikeConjunctions.has(text)) return null
  return { word: wordFrom(morphemes, i, 2, [text], false), count: 2 }
}

/**
 * A noun in kana with its prefix お or ご, with a suffix, or with both, for catalogues that have the
 * whole: おちゃ, えいがかん, おかあさん.
 */
function compounds(morphemes: readonly PlacedMorpheme[], i: number): AnalysedWord[] {
  const prefix = /^[おご御]$/.test(morphemes[i]!.surface) && morphemes[i]!.poses[0] === '接頭辞' ? 1 : 0
  const noun = morphemes[i + prefix]
  if (noun === undefined || !/^(?:名詞|動詞|形状詞)$/.test(noun.poses[0]!)) return []
  const suffix = morphemes[i + prefix + 1]?.poses[0] === '接尾辞' ? 1 : 0
  const count = prefix + 1 + suffix
  if (count === 1 || !kana.test(textOf(morphemes, i, count))) return []
  const [before, after] = [textOf(morphemes, i, prefix), textOf(morphemes, i + prefix + 1, suffix)]
  const lemmas = new Set([noun.surface, ...lemmasOf(noun)].map((lemma) => before + lemma + after))
  return [wordFrom(morphemes, i, count, [...lemmas], false)]
}

function textOf(morphemes: readonly PlacedMorpheme[], from: number, count: number): string {
  return morphemes
    .slice(from, from + count)
    .map(({ surface }) => surface)
    .join('')
}

function wordFrom(
  morphemes: readonly PlacedMorpheme[],
  from: number,
  count: number,
  lemmas: readonly string[],
  isFunctionWord: boolean,
): AnalysedWord {
  return { start: morphemes[from]!.start, end: morphemes[from + count - 1]!.end, lemmas, isFunctionWord }
}

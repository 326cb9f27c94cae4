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
    else if (isWord(morphemes[i]!)) words.push(toWord(morphemes[i]!))
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

function toWord(morpheme: PlacedMorpheme): AnalysedWord {
  const { surface, dictionary_form: dictionary, start, end, poses } = morpheme
  const normalised = isNormalisedForm(morpheme) ? [morpheme.normalized_form] : []
  const lemmas = [...new Set([dictionary, ...normalised, surface])]
  return { start, end, lemmas, isFunctionWord: isFunctionWord(poses) }
}

/**
 * Whether the normalised form names the word that is said. Latin letters are names (POST is not
 * ポスト, a mailbox), and a suffix or noun of one kana is too little to tell (これら has no 等).
 */
function isNormalisedForm({ surface, poses }: Morpheme): boolean {
  if (!japaneseScript.test(surface)) return false
  return !(oneKana.test(surface) && (poses[0] === '接尾辞' || poses[0] === '名詞'))
}

/** Particles, auxiliaries and the stems of auxiliaries, such as よう in ようだ. */
function isFunctionWord([pos, kind]: readonly string[]): boolean {
  return pos === '助詞' || pos === '助動詞' || kind === '助動詞語幹'
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

import type { AnalysedWord, Analyser } from './analyser.ts'

/** A morpheme as Sudachi names it: surface, dictionary form, normalised form, part of speech. */
export interface Morpheme {
  surface: string
  dictionary_form: string
  normalized_form: string
  poses: readonly string[]
}

/** Particles, auxiliaries and the stems of auxiliaries, such as よう in ようだ. */
function isFunctionWord([pos, kind]: readonly string[]): boolean {
  return pos === '助詞' || pos === '助動詞' || kind === '助動詞語幹'
}

/** Punctuation and blanks, which are no words. */
function isWord({ poses }: Morpheme): boolean {
  return poses[0] !== '補助記号' && poses[0] !== '空白'
}

/**
 * The Japanese analyser: the morphemes of Sudachi, each with its dictionary form (食べ → 食べる) and its
 * normalised form (たべる → 食べる).
 */
export function japaneseAnalyser(tokenise: (text: string) => readonly Morpheme[]): Analyser {
  return { analyse: (texts) => texts.map((text) => wordsOf(tokenise(text))) }
}

function wordsOf(morphemes: readonly Morpheme[]): AnalysedWord[] {
  const words: AnalysedWord[] = []
  let start = 0
  for (const morpheme of morphemes) {
    const end = start + morpheme.surface.length
    if (isWord(morpheme)) words.push(toWord(morpheme, start, end))
    start = end
  }
  return words
}

function toWord(morpheme: Morpheme, start: number, end: number): AnalysedWord {
  const { surface, dictionary_form: dictionary, normalized_form: normalised, poses } = morpheme
  const lemmas = [...new Set([dictionary, normalised, surface])]
  return { start, end, lemmas, isFunctionWord: isFunctionWord(poses) }
}

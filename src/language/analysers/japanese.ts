import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { toHiragana } from '../folds.ts'
import { commonlyInKana, isInKanji, kana } from './kana-readings.ts'
import type { AnalysedWord, Reading, TextAnalyser } from './analyser.ts'
import { readLists } from './data-file.ts'
import { readInContext } from './japanese-readings.ts'
import { longVowelsIn, replaceAt, withHiraganaEndings, withoutLongVowels } from './japanese-spelling.ts'

const require = createRequire(import.meta.url)
const isIn = readLists('japanese-words.txt')

/** A morpheme of Sudachi. The reading is in katakana; `poses` are parts of speech. */
interface Morpheme {
  surface: string
  reading_form: string
  dictionary_form: string
  normalized_form: string
  poses: readonly string[]
}

interface Placed extends Morpheme {
  start: number
  end: number
}

const isKatakana = /^[ァ-ヶー]+$/
const japaneseScript = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/**
 * The Japanese analyser: the morphemes of Sudachi, each with its dictionary form (食べ → 食べる)
 * and its normalised form (たべる → 食べる).
 *
 * @throws the package is not installed
 */
export function openJapanese(): TextAnalyser {
  const tokenise = openSudachi()
  return {
    analyse: (texts, withReadings = false) =>
      texts.map((text) => {
        const morphemes = placeMorphemes(fewestMorphemes(text, tokenise))
        return { words: wordsOf(morphemes), readings: withReadings ? readingsOf(morphemes) : [] }
      }),
  }
}

/**
 * Returns the morphemes of a text, with each long vowel mark read as the vowel that gives the
 * fewest: とおい is one word, but とーい is not.
 */
function fewestMorphemes(text: string, tokenise: (text: string) => Morpheme[]): Morpheme[] {
  let spelling = withHiraganaEndings(text)
  let fewest = tokenise(spelling)
  for (const { at, vowels } of longVowelsIn(spelling))
    for (const vowel of vowels) {
      const candidate = replaceAt(spelling, at, vowel)
      const morphemes = tokenise(candidate)
      if (morphemes.length < fewest.length) [spelling, fewest] = [candidate, morphemes]
    }
  return fewest
}

/** The parts of sudachi-wasm333 that this project uses. */
interface Sudachi {
  SudachiStateless: new () => {
    initialize_from_bytes(dictionary: Uint8Array): void
    /** Returns `{ error }` for invalid input. */
    tokenize_raw(text: string, mode: number): Morpheme[] | { error: string }
  }
  TokenizeMode: { C: number }
}

let tokenizer: ((text: string) => Morpheme[]) | undefined

/** Opens Sudachi in this thread, once. Mode C takes the longest units: 思い出す is one word. */
function openSudachi(): (text: string) => Morpheme[] {
  if (tokenizer) return tokenizer
  const { SudachiStateless, TokenizeMode } = require('sudachi-wasm333') as Sudachi
  const sudachi = new SudachiStateless()
  // The dictionary that comes with the package: 120 MB on disk, 0.5 GB in memory.
  const path = join(dirname(require.resolve('sudachi-wasm333')), 'resources', 'system.dic')
  sudachi.initialize_from_bytes(readFileSync(path))
  return (tokenizer = (text) => {
    const morphemes = sudachi.tokenize_raw(text, TokenizeMode.C)
    return Array.isArray(morphemes) ? morphemes : []
  })
}

function placeMorphemes(morphemes: readonly Morpheme[]): Placed[] {
  let end = 0
  return morphemes.map((morpheme) => {
    const start = end
    end += morpheme.surface.length
    return { ...morpheme, start, end }
  })
}

/** Sudachi returns text that it cannot read, such as Latin letters, unchanged. */
function readingsOf(morphemes: readonly Placed[]): Reading[] {
  const readMorphemes = morphemes.map(({ surface, reading_form: katakana }) => ({
    surface,
    reading: isKatakana.test(katakana) ? toHiragana(katakana) : '',
  }))
  return readInContext(readMorphemes).flatMap((reading, i) =>
    reading === '' ? [] : divideReading(morphemes[i]!.surface, morphemes[i]!.start, reading),
  )
}

const kanaRun = /([\p{Script=Hiragana}\p{Script=Katakana}ー]+)/u

/**
 * Splits the reading of a word at its kana, because the tokens of a transcript may be split there:
 * 聞|い is き|い. A reading that could be split in two ways stays whole.
 */
function divideReading(surface: string, start: number, reading: string): Reading[] {
  const runs = surface.split(kanaRun).filter((run) => run !== '')
  const partsBy = (others: string) => {
    const pattern = runs.map((run) => (kanaRun.test(run) ? `(${toHiragana(run)})` : others)).join('')
    return new RegExp(`^${pattern}$`).exec(reading)?.slice(1)
  }
  const parts = partsBy('(.+?)')
  if (parts?.join() !== partsBy('(.+)')?.join() || !parts)
    return [{ start, end: start + surface.length, reading }]
  let end = start
  return runs.map((run, i) => ({ start: end, end: (end += run.length), reading: parts[i]! }))
}

function wordsOf(morphemes: readonly Placed[]): AnalysedWord[] {
  const words: AnalysedWord[] = []
  let joinedEnd = 0
  for (const [i, morpheme] of morphemes.entries()) {
    if (morpheme.start < joinedEnd) continue
    const joinedWord = joinedFrom(morphemes, i)
    joinedEnd = joinedWord?.end ?? 0
    if (joinedWord) words.push(joinedWord)
    else if (isWord(morpheme)) words.push(...compounds(morphemes, i), ...wordsAt(morphemes, i))
  }
  return words
}

/** Whether a morpheme is a word, not punctuation or whitespace. */
function isWord({ poses }: Morpheme): boolean {
  return poses[0] !== '補助記号' && poses[0] !== '空白'
}

/** Text that makes で a form of だ after では and でも: 学生ではない is not ここでは. */
const copulaEnd = /^(?:な[いかくけ]|無|あ[りるっ]|有|ござ)/

function wordsAt(morphemes: readonly Placed[], i: number): AnalysedWord[] {
  const { surface, dictionary_form: dictionary, start, end, poses } = morphemes[i]!
  const word = { start, end, lemmas: lemmasOf(morphemes[i]!), isFunctionWord: isFunctionWord(poses) }
  const next = morphemes[i + 1]?.surface
  if (surface === 'で' && (next === 'は' || next === 'も')) {
    const isCopula = morphemes[i - 1]?.surface === 'の' || copulaEnd.test(morphemes[i + 2]?.surface ?? '')
    return [{ ...word, lemmas: isCopula ? ['だ', surface] : [surface], isFunctionWord: true }]
  }
  const isNoun =
    isInKanji(surface) && surface !== dictionary && (next === undefined || isIn('afterNoun', next))
  return isNoun ? [word, { ...word, lemmas: [surface] }] : [word]
}

function lemmasOf(morpheme: Placed): string[] {
  const { surface, dictionary_form: dictionary, normalized_form: normalisedForm, poses } = morpheme
  // As an adjective, ない is written 無い; the auxiliary never is.
  if (dictionary === 'ない' && poses[0] === '形容詞') return ['無い', 'ない', surface]
  const kanaSpelling = isFunctionWord(poses) ? undefined : commonlyInKana.get(dictionary)
  const others = isNormalisedForm(morpheme) ? [normalisedForm] : []
  const isParticle = isFunctionWord(poses) && poses[0] !== '感動詞'
  const kanaSpellings = isParticle ? [] : inHiragana(morpheme)
  return [
    ...new Set([
      dictionary,
      ...others,
      ...(kanaSpelling === undefined ? [] : [kanaSpelling]),
      ...kanaSpellings,
      surface,
    ]),
  ]
}

/**
 * Returns a word in hiragana that is written in katakana for emphasis (ウソ), or with long vowel
 * marks (とーきょー). Names and loanwords in katakana are rarely such words.
 */
function inHiragana({ dictionary_form: dictionary, poses }: Placed): string[] {
  if (!isKatakana.test(dictionary)) return withoutLongVowels(dictionary)
  return poses[1] === '固有名詞' || isIn('loanword', dictionary) ? [] : [toHiragana(dictionary)]
}

/**
 * Whether the normalised form is the spoken word. Latin letters are names (POST is not ポスト, a
 * mailbox). A suffix or noun of one character is too short to be certain (これら does not contain 等,
 * nor 機関銃付 付け), as is any single katakana.
 */
function isNormalisedForm({ surface, poses }: Morpheme): boolean {
  if (!japaneseScript.test(surface) || /^\p{Script=Katakana}$/u.test(surface)) return false
  return !(surface.length === 1 && (poses[0] === '接尾辞' || poses[0] === '名詞'))
}

function isFunctionWord([pos, kind]: readonly string[]): boolean {
  return isIn('grammar', pos!) || isIn('grammar', kind!)
}

/**
 * Whether a conjunction has the spelling of a clause ending.
 *
 *     isClauseLike('では') // true
 */
export function isClauseLike(conjunction: string): boolean {
  return isIn('conjunction', conjunction)
}

/**
 * Returns a word that Sudachi splits: a particle with a verb, or a conjunction, which occurs only
 * at the start of a clause.
 */
function joinedFrom(morphemes: readonly Placed[], i: number): AnalysedWord | null {
  const [before, three, two] = [morphemes[i - 1], morphemes.slice(i, i + 3), morphemes.slice(i, i + 2)]
  const [particle, conjunction] = [textOf(three), textOf(two)]
  if (isIn('compoundParticle', particle) && before?.poses.some((pos) => isIn('nominal', pos)))
    return wordFrom(three, particle === 'について' ? [particle, 'ついて'] : [particle], true)
  if ((before && isWord(before)) || !isClauseLike(conjunction)) return null
  return wordFrom(two, [conjunction], false)
}

/**
 * Returns a noun in kana with its prefix お or ご, with a suffix, or with both, for catalogues that
 * list the whole: おちゃ, えいがかん, おかあさん.
 */
function compounds(morphemes: readonly Placed[], i: number): AnalysedWord[] {
  const prefix = /^[おご御]$/.test(morphemes[i]!.surface) && morphemes[i]!.poses[0] === '接頭辞' ? 1 : 0
  const noun = morphemes[i + prefix]
  if (noun === undefined || !/^(?:名詞|動詞|形状詞)$/.test(noun.poses[0]!)) return []
  const suffix = morphemes[i + prefix + 1]?.poses[0] === '接尾辞' ? 1 : 0
  const parts = morphemes.slice(i, i + prefix + 1 + suffix)
  if (parts.length === 1 || !kana.test(textOf(parts))) return []
  const [before, after] = [textOf(parts.slice(0, prefix)), textOf(parts.slice(prefix + 1))]
  const lemmas = new Set([noun.surface, ...lemmasOf(noun)].map((lemma) => before + lemma + after))
  return [wordFrom(parts, [...lemmas], false)]
}

function textOf(parts: readonly Placed[]): string {
  return parts.map(({ surface }) => surface).join('')
}

function wordFrom(parts: readonly Placed[], lemmas: string[], isFunctionWord: boolean): AnalysedWord {
  return { start: parts[0]!.start, end: parts.at(-1)!.end, lemmas, isFunctionWord }
}

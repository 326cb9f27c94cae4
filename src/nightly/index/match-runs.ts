import { isSyllabic } from '#language/unspaced.ts'
import { isClauseLike } from '#language/analysers/japanese.ts'
import { isInKanji } from '#language/analysers/kana-readings.ts'
import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import { maxSpellingParts } from '#corpus/text-bounds.ts'
import type { Entry, Lexicon, Spelling } from './lexicon.ts'
import type { TokenWord } from '#language/analysers/analyser.ts'
import type { Token } from './tokenise.ts'

/** A run of neighbouring tokens of a cue that matches a catalogue word. */
export interface TokenRun {
  word: CatalogueWord
  /** The index of the first token. */
  start: number
  /** The number of tokens. */
  length: number
  /** Whether the run matches the headword, not an inflected form. */
  headword: boolean
  /** Whether the word is only a part of the token: 一 in 星期一. */
  isPart?: boolean
}

/**
 * Finds every run of tokens in a cue that matches a catalogue word (contract 2 and 2.1).
 *
 * A single token matches by its lemma from the source, or by those of its analyser, or by its text.
 * Runs of up to `maxSpellingParts` tokens match by the texts of their tokens, in languages with
 * spaces also by their lemmas (looked up is "look up"), and do not cross the end of a sentence. If
 * one word matches several runs from the same token, the longest is used.
 */
export function matchRuns(
  tokens: readonly Token[],
  lexicon: Lexicon,
  spellings: readonly Spelling[] = spellingsOf(tokens, lexicon),
): TokenRun[] {
  const runs: TokenRun[] = []
  /** The end of the last headword with several tokens, whose parts without a lemma are ignored. */
  let headwordEnd = 0
  for (const start of tokens.keys()) {
    if (start < headwordEnd && tokens[start]!.lemma === undefined) continue
    const tokenRuns = runsOfToken(tokens[start]!, spellings[start]!, start, lexicon)
    if (lexicon.joins && tokens[start]!.words)
      for (const { length, isPart = false } of tokenRuns)
        headwordEnd = Math.max(headwordEnd, start + length - (isPart ? 1 : 0))
    if (!isCut(tokens, start)) addLongerRuns(tokenRuns, tokens, spellings, start, lexicon)
    for (const run of tokenRuns) runs.push(run)
  }
  return isSyllabic(lexicon.language) ? wholeWords(runs) : runs
}

/** Returns the runs that are not part of a longer one. */
function wholeWords(runs: readonly TokenRun[]): TokenRun[] {
  const isPart = (part: TokenRun, { start, length }: TokenRun) =>
    length > part.length && start <= part.start && part.start + part.length <= start + length
  return runs.filter((run) => !runs.some((other) => isPart(run, other)))
}

export function spellingsOf(tokens: readonly Token[], lexicon: Lexicon): Spelling[] {
  return tokens.map(({ text }) => lexicon.spelling(text))
}

function runsOfToken({ lemma, words }: Token, spelling: Spelling, start: number, lexicon: Lexicon) {
  if (lemma !== undefined) return runsOf(headwords(lemma, lexicon), start)
  if (!words) return runsOf(spelling.entries, start)
  if (lexicon.joins) return analysedRuns(words, spelling, start, lexicon)
  // A verb that is separated from its particle does not affect what the token alone matches.
  const alone = words.filter(isOneToken)
  const runs =
    alone.length === 0 ? runsOf(spelling.entries, start) : analysedRuns(alone, spelling, start, lexicon)
  for (const word of words)
    if (!isOneToken(word))
      for (const entry of entriesOfWord(word, lexicon))
        runs.push({ word: entry.word, start, length: word.length, headword: false })
  return runs
}

function runsOf(entries: readonly Entry[], start: number): TokenRun[] {
  return entries.map(({ word, headword }) => ({ word, start, length: 1, headword }))
}

function isOneToken({ length }: TokenWord): boolean {
  return length === 1
}

/**
 * Returns the headwords of the words that start in a token or, if there are none, the words that
 * the token itself spells.
 */
function analysedRuns(
  words: readonly TokenWord[],
  tokenSpelling: Spelling,
  start: number,
  lexicon: Lexicon,
): TokenRun[] {
  const runs: TokenRun[] = []
  const headwordEntries = tokenSpelling.entries.filter(({ headword }) => headword)
  const isPartOfClause = endsInside(words) || (words.length > 1 && isClauseLike(tokenSpelling.text))
  // The parts of a token that is a headword itself are ignored: 一つ is not 一.
  const hasParts = words.length > 1 && words.some(({ spelling }) => spelling !== undefined)
  const namingWords = hasParts && headwordEntries.length > 0 && !isPartOfClause ? [] : words
  for (const word of namingWords) {
    for (const entry of entriesOfWord(word, lexicon)) {
      const headword = headwordEntries.some((other) => other.word === entry.word)
      if (runs.every((run) => run.word !== entry.word))
        runs.push({
          word: entry.word,
          start,
          length: word.length,
          headword,
          ...(isPartOfToken(word, words) && { isPart: true }),
        })
    }
    // A word that is exactly the token matches, but its parts do not: お茶 is not 茶.
    if (hasParts && isOneToken(word) && word.spelling === undefined && runs.length > 0) return runs
  }
  // A token may be a piece of a longer word: 缓存 does not match 缓.
  const isPiece = words.every(({ length }) => length > 1)
  if (runs.length > 0 || isPartOfClause || isPiece) return runs
  // Particles, words that are written with other kanji, and pieces of words do not match a word in
  // kanji by its reading.
  const canBeRead = words.every(({ isFunctionWord, lemmas }) => !isFunctionWord && !lemmas.some(isInKanji))
  const isMatch = (entry: Entry) => entry.headword || !entry.reading || (words.length === 1 && canBeRead)
  return runsOf(tokenSpelling.entries.filter(isMatch), start)
}

/**
 * Whether a word is only a part of its token. Particles and auxiliaries after it only inflect it.
 * Japanese words, which are stored, have no text here.
 */
function isPartOfToken(word: TokenWord, words: readonly TokenWord[]): boolean {
  if (!isOneToken(word)) return word.endsInside === true
  if (word.spelling === undefined) return false
  const isOther = (other: TokenWord) => other !== word && !other.isFunctionWord
  return word.spelling !== '' || words.some((other) => isOther(other) && other.spelling !== undefined)
}

/**
 * Returns the headwords of the first lemma that has any. If none has, returns the words of which it
 * may be a reading or, for a word that is not exactly one token, that it spells.
 */
function entriesOfWord(word: TokenWord, lexicon: Lexicon): readonly Entry[] {
  const { lemmas, spelling, isFunctionWord } = word
  for (const lemma of lemmas) {
    const entries = headwords(lemma, lexicon)
    if (entries.length > 0) return entries
  }
  if (lexicon.joins && !isFunctionWord && !lemmas.some(isInKanji)) {
    // Verbs are rarely written in katakana: クラス is not 暮らす.
    const isKatakana = /^[ァ-ヶー]+$/.test(lemmas[0] ?? '')
    const canBe = ({ word }: Entry) => !isKatakana || !/[うくぐすつぬぶむる]$/.test(word.word)
    for (const lemma of lemmas) {
      const readings = lexicon.readings(lemma).filter(canBe)
      if (readings.length > 0) return readings
    }
  }
  return spelling === undefined ? [] : lexicon.spelling(spelling).entries.filter(({ reading }) => !reading)
}

/** Whether a token ends inside its last word, so that its own spelling does not count: 何で|しょう. */
export function endsInside(words: readonly TokenWord[]): boolean {
  return words.length > 1 && !isOneToken(words.at(-1)!)
}

/**
 * Whether a token is inside a word of the analyser, so that no run starts here or ends before it. A
 * lemma from the source makes the token a word of its own.
 */
function isCut(tokens: readonly Token[], i: number): boolean {
  return tokens[i]?.words?.length === 0 && tokens[i].lemma === undefined
}

function headwords(lemma: string, lexicon: Lexicon): readonly Entry[] {
  return lexicon.spelling(lemma).entries.filter((entry) => entry.headword)
}

/** Adds the longer runs from `start` to those of one token, as long as one can still match. */
function addLongerRuns(
  runs: TokenRun[],
  tokens: readonly Token[],
  spellings: readonly Spelling[],
  start: number,
  lexicon: Lexicon,
): void {
  let runKeys = keysOf(tokens[start]!, spellings[start]!, lexicon).filter((key) => lexicon.grows(key))
  if (runKeys.length === 0) return
  const separators = lexicon.joins ? [' ', ''] : [' ']
  const last = Math.min(tokens.length, start + maxSpellingParts)
  for (let end = start + 1; end < last && runKeys.length > 0 && !tokens[end]!.startsSentence; end++) {
    const nextKeys = keysOf(tokens[end]!, spellings[end]!, lexicon)
    const longerKeys = separators.flatMap((separator) =>
      runKeys.flatMap((key) => nextKeys.map((next) => key + separator + next)),
    )
    if (!isCut(tokens, end + 1)) {
      const spelling = spellings
        .slice(start, end + 1)
        .map(({ key }) => key)
        .join(' ')
      for (const key of longerKeys) {
        if (tokens[start]!.words && isClauseLike(key)) continue
        for (const { word, headword, reading } of lexicon.entries(key)) {
          if (reading && hasGrammar(tokens, start, end + 1)) continue
          const isHeadword = headword && (lexicon.joins || key === spelling)
          addRun(runs, { word, start, length: end - start + 1, headword: isHeadword })
        }
      }
    }
    runKeys = longerKeys.filter((key) => lexicon.grows(key))
  }
}

/**
 * Whether the analyser considers any of some tokens a particle or an auxiliary: ない|よう|に is
 * not 内容. A token without words counts as one if it is a single hiragana.
 */
function hasGrammar(tokens: readonly Token[], start: number, end: number): boolean {
  if (!tokens.some(({ words }) => words)) return false
  return tokens
    .slice(start, end)
    .some(({ text, words }) => words?.some(({ isFunctionWord }) => isFunctionWord) ?? oneKana.test(text))
}

const oneKana = /^\p{Script=Hiragana}$/u

/**
 * Returns the keys of a token in a phrase: that of its text, and those of its analyser's lemmas.
 */
function keysOf({ lemma, words }: Token, spelling: Spelling, lexicon: Lexicon): readonly string[] {
  if (lemma !== undefined) return spelling.keys.slice(0, 1)
  if (lexicon.joins || !words) return spelling.keys
  const lemmas = words.filter(isOneToken).flatMap((word) => word.lemmas)
  return [...new Set([...spelling.keys, ...lemmas.map((each) => lexicon.spelling(each).key)])]
}

function addRun(runs: TokenRun[], run: TokenRun): void {
  const index = runs.findLastIndex(({ word }) => word === run.word)
  const previous = runs[index]
  if (!previous) runs.push(run)
  else if (previous.length < run.length || (run.headword && !previous.headword)) runs[index] = run
}

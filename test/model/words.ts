/**
 * `GET /words` and the Word record (spec 2, contract 1.5).
 */
import type { FoundWord, Word, WordDetail } from '#contract/word.ts'
import { clipCountOf, entriesIn, occurrencesOf, type Indexed } from './indexed.ts'
import { isWrittenWithoutSpaces, type Entry } from './matching.ts'
import { foldForSearch, ignoringCase, nfc } from './spelling.ts'
import type { CatalogueWord, Gloss, Level } from './source.ts'
import { bestTyped, byCodePoint, typedSpellings } from './typed.ts'

export type WordsQuery = {
  q?: string
  in?: 'spellings' | 'meanings'
  language: string
  gloss: Gloss
  levels: Level[] | null
  hasClips: boolean
}

/** The meaning in the requested gloss, or in English; "with no English either, `meaning` is """ */
export function meaningOf(word: CatalogueWord, gloss: Gloss): string {
  return nfc(word.meanings[gloss] ?? word.meanings.en ?? '')
}

export function wordRecord(entry: Entry, gloss: Gloss, index: Indexed): Word {
  const { word, wordId, level } = entry.word
  const meaning = meaningOf(entry.word, gloss)
  return { word: nfc(word), wordId, level, meaning, clipCount: clipCountOf(entry, index.clips) }
}

/**
 * "Order: the exact word, words another of whose spellings equals `q`, words that begin with `q`,
 * words that contain it, words another of whose spellings begins with it; all compared after
 * folding; within each by `clipCount` descending, then `wordId`. Without `q`: `clipCount`
 * descending, then `wordId`. `hasClips=false` lifts the restriction."
 */
export function matchingWords(query: WordsQuery, index: Indexed): FoundWord[] {
  const listed: { rank: number; record: FoundWord }[] = []
  for (const entry of entriesIn(query.language, index.entries)) {
    const found = query.in === 'meanings' ? rankByMeaning(entry, query) : rankOf(entry, query, index)
    if (found === null) continue
    const record = {
      ...wordRecord(entry, query.gloss, index),
      ...(found.matchedForm === undefined ? {} : { matchedForm: found.matchedForm }),
    }
    if (query.levels !== null && !query.levels.includes(record.level)) continue
    if (query.hasClips && record.clipCount === 0) continue
    listed.push({ rank: found.rank, record })
  }
  listed.sort(
    (a, b) => a.rank - b.rank || b.record.clipCount - a.record.clipCount || a.record.wordId - b.record.wordId,
  )
  return listed.map(({ record }) => record)
}

/**
 * "words with a sense that equals `q` (…), words with a sense that holds `q` as whole words (…),
 * words with a sense that holds a run of words of which the last begins with the last word of `q`"
 */
function rankByMeaning(
  { word }: Entry,
  { q = '', gloss }: WordsQuery,
): { rank: number; matchedForm?: string } | null {
  const language = word.meanings[gloss] === undefined ? 'en' : gloss
  const wordsIn = (text: string) =>
    foldForSearch(nfc(text), language)
      .split(/[^\p{L}\p{M}\p{N}]+/u)
      .filter((part) => part !== '')
  const senses = meaningOf(word, gloss)
    .replace(/\([^()（）]*\)|（[^()（）]*）|\[[^[\]]*\]/gu, ' ')
    .split(/[;,/；，、]/u)
    .map(wordsIn)
    .filter(({ length }) => length > 0)
  const sought = wordsIn(q)
  if (sought.length === 0) return null
  const bare = (words: string[]) =>
    language === 'en' && words.length > 1 && ['to', 'a', 'an', 'the'].includes(words[0]!)
      ? words.slice(1)
      : words
  if (senses.some((sense) => bare(sense).join(' ') === bare(sought).join(' '))) return { rank: 0 }
  if (isWrittenWithoutSpaces(language))
    return senses.some((sense) => sense.join(' ').includes(sought.join(' '))) ? { rank: 1 } : null
  const runs = senses.flatMap((sense) => sense.map((_, i) => sense.slice(i, i + sought.length)))
  if (runs.some((run) => run.join(' ') === sought.join(' '))) return { rank: 1 }
  const isBeginning = (run: string[]) =>
    run.length === sought.length &&
    run.every((part, i) => (i < run.length - 1 ? part === sought[i] : part.startsWith(sought[i]!)))
  return runs.some(isBeginning) ? { rank: 2 } : null
}

/** Returns the first rank that applies, with the spelling if that is not the headword. */
function rankOf(
  entry: Entry,
  query: WordsQuery,
  index: Indexed,
): { rank: number; matchedForm?: string } | null {
  const q = nfc(query.q ?? '').trim()
  if (q === '') return { rank: 0 } // "nothing left after trimming: the parameter counts as absent"
  const folded = foldForSearch(entry.word.word, query.language)
  const sought = foldForSearch(q, query.language)
  const spellings = typedSpellings(entry.word.word, otherSpellings(entry, index), query.language)
  const typed = bestTyped(q, spellings, query.language)
  if (folded === sought) return { rank: 0 }
  if (typed?.isEqual) return { rank: 1, matchedForm: typed.spelling }
  if (folded.startsWith(sought)) return { rank: 2 }
  if (folded.includes(sought)) return { rank: 3 }
  return typed && { rank: 4, matchedForm: typed.spelling }
}

/** The Word record, then `language` and `forms`: every other spelling, by code point. */
export function wordDetail(entry: Entry, gloss: Gloss, index: Indexed): WordDetail {
  const { language } = entry
  return { ...wordRecord(entry, gloss, index), language, forms: otherSpellings(entry, index) }
}

/**
 * "the catalogue's, the forms file's and those heard in the clips of the release, sorted by code
 * point": each once, ignoring case, as it is written first.
 */
export function otherSpellings(entry: Entry, { source, clips }: Indexed): string[] {
  const { word, language } = entry
  const same = (a: string, b: string) => ignoringCase(a, language) === ignoringCase(b, language)
  const listed = (source.forms[language] ?? []).filter(([, headword]) => same(headword, word.word))
  const heard = clips
    .flatMap((clip) => occurrencesOf(clip, entry).map(({ form }) => asHeard(form, nfc(word.word), language)))
    .toSorted((a, b) => byCodePoint(b, a))
  const spellings: string[] = []
  for (const form of [...word.forms, ...listed.map(([form]) => form), ...heard]) {
    const isKnown = [word.word, ...spellings].some((spelling) => same(spelling, form))
    if (!isKnown) spellings.push(nfc(form).trim())
  }
  return spellings.toSorted(byCodePoint)
}

/** Returns a form in lower case if the headword is. */
function asHeard(form: string, headword: string, language: string): string {
  return headword.toLocaleLowerCase(language) === headword ? nfc(form.toLocaleLowerCase(language)) : form
}

/** The words with these ids, each once, in the order of the request. Unknown ids are left out. */
export function wordsById(ids: number[], gloss: Gloss, index: Indexed): Word[] {
  const found = [...new Set(ids)].map((id) => index.entries.find(({ word }) => word.wordId === id))
  return found.filter((entry) => entry !== undefined).map((entry) => wordRecord(entry, gloss, index))
}

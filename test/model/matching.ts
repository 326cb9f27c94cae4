/** Finds which catalogue words occur where (contract 2, "Indexing"). */
import { ignoringCase, keyOf } from './spelling.ts'
import type { CatalogueWord, SourceCorpus } from './source.ts'
import type { Token } from './tokens.ts'

/** A catalogue word with all its forms and the keys by which it is matched. */
export type Entry = {
  language: string
  word: CatalogueWord
  /** From the catalogue line and forms/<language>.tsv. */
  forms: string[]
  headwordKey: string
  formKeys: string[]
}

/** Consecutive tokens of one cue that match a word. */
export type Run = { entry: Entry; first: number; length: number; asHeadword: boolean }

/** All words of all catalogues; a line of the tsv names its headword "ignoring case". */
export function entriesOf(corpus: SourceCorpus): Entry[] {
  const entries: Entry[] = []
  for (const [language, catalogue] of Object.entries(corpus.catalogues))
    for (const word of catalogue) {
      const forms = [...word.forms]
      for (const [form, headword] of corpus.forms[language] ?? [])
        if (ignoringCase(headword, language) === ignoringCase(word.word, language)) forms.push(form)
      const headwordKey = keyOf(word.word, language)
      const adding = forms.filter((form) => keyOf(form, language) !== headwordKey)
      const formKeys = adding.map((form) => keyOf(form, language))
      entries.push({ language, word, forms: adding, headwordKey, formKeys })
    }
  return entries
}

/** Returns every run of a cue's tokens that matches a word in the cue's language. */
export function runsOf(tokens: Token[], language: string, entries: Entry[]): Run[] {
  const runs: Run[] = []
  for (let first = 0; first < tokens.length; first++) {
    for (let end = first + 1; end <= tokens.length; end++) {
      const said = tokens.slice(first, end)
      if (spansSentenceEnd(said)) continue
      for (const entry of entries) {
        if (entry.language !== language) continue
        const as = matchedAs(said, entry)
        if (as !== null) runs.push({ entry, first, length: said.length, asHeadword: as === 'headword' })
      }
    }
  }
  return runs
}

/** "Phrases match runs of tokens within a cue, not across a sentence end in its text" */
const spansSentenceEnd = (said: Token[]): boolean => said.slice(1).some((token) => token.opensSentence)

/**
 * "a token is indexed under the catalogue words that its `lemma` names, if it has one (a lemma that
 * names none: under nothing); else those whose headword or form it is." A lemma names headwords
 * only. Runs of two tokens or more match by their texts, whatever their lemmas: "their tokens count
 * for the single words too".
 */
function matchedAs(said: Token[], entry: Entry): 'headword' | 'form' | null {
  const lemma = said.length === 1 ? said[0]!.lemma : null
  if (lemma !== null) {
    const names = entry.headwordKey !== '' && keyOf(lemma, entry.language) === entry.headwordKey
    return names ? 'headword' : null
  }
  if (spells(said, entry.headwordKey, entry.language)) return 'headword'
  const formKeys = entry.formKeys.filter((key) => !isShortReading(key, entry))
  return formKeys.some((key) => spells(said, key, entry.language)) ? 'form' : null
}

const saidInKana = ['ある有る', 'いる居る', 'いう言う', 'こと事', 'もの物', 'とき時', 'ため為']

/**
 * Decision 5: "a reading in kana of fewer than four moras, of a word written in kanji, matches
 * nothing", except for seven common words
 */
function isShortReading(key: string, { headwordKey, language }: Entry): boolean {
  if (!isWrittenWithoutSpaces(language) || saidInKana.includes(key + headwordKey)) return false
  const moras = key.match(/[ぁ-ヺー][ぁぃぅぇぉゃゅょゎァィゥェォャュョヮ]?/gu) ?? []
  return moras.join('') === key && moras.length < 4 && /\p{Script=Han}/u.test(headwordKey)
}

/** "in ja and zh any headword also matches a run of tokens that, joined, spell it" */
function spells(said: Token[], key: string, language: string): boolean {
  if (key === '') return false
  const keys = said.map((token) => token.key)
  if (keys.join(' ') === key) return true
  return isWrittenWithoutSpaces(language) && said.length >= 2 && keys.join('') === key
}

export function isWrittenWithoutSpaces(language: string): boolean {
  return language === 'ja' || language === 'zh'
}

/** Returns the runs of a word. If several start at the same token, only the longest one counts. */
export function occurrencesIn(runs: Run[], entry: Entry): Run[] {
  const own = runs.filter((run) => run.entry === entry)
  return own.filter((run) => !own.some((other) => other.first === run.first && other.length > run.length))
}

/** Returns `wordIds`: the longest phrase first, then headwords before forms, then the lower id. */
export function wordIdsAt(index: number, runs: Run[]): number[] {
  const through = runs.filter((run) => run.first <= index && index < run.first + run.length)
  const ordered = through.toSorted(
    (a, b) =>
      b.length - a.length ||
      Number(b.asHeadword) - Number(a.asHeadword) ||
      a.entry.word.wordId - b.entry.word.wordId,
  )
  const ids: number[] = []
  for (const run of ordered) if (!ids.includes(run.entry.word.wordId)) ids.push(run.entry.word.wordId)
  return ids
}

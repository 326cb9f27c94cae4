/**
 * Which catalogue words are said where (contract 2, "Indexing").
 */
import { ignoringCase, keyOf } from './spelling.ts'
import type { CatalogueWord, SourceCorpus } from './source.ts'
import type { Token } from './tokens.ts'

/** A catalogue word with all its forms and the keys that it is matched by. */
export type Entry = {
  language: string
  word: CatalogueWord
  /** of the catalogue line and of forms/<language>.tsv */
  forms: string[]
  headwordKey: string
  formKeys: string[]
}

/** Consecutive tokens of one cue that spell a word. */
export type Run = { entry: Entry; first: number; length: number; asHeadword: boolean }

/** All words of all catalogues; a line of the tsv names its headword "ignoring case". */
export function entriesOf(corpus: SourceCorpus): Entry[] {
  const entries: Entry[] = []
  for (const [language, catalogue] of Object.entries(corpus.catalogues)) {
    for (const word of catalogue) {
      const forms = [...word.forms]
      for (const [form, headword] of corpus.forms[language] ?? []) {
        if (ignoringCase(headword, language) === ignoringCase(word.word, language)) forms.push(form)
      }
      const headwordKey = keyOf(word.word, language)
      const adding = forms.filter((form) => keyOf(form, language) !== headwordKey)
      const formKeys = adding.map((form) => keyOf(form, language))
      entries.push({ language, word, forms: adding, headwordKey, formKeys })
    }
  }
  return entries
}

/** Every run of a cue's tokens that spells a word of the cue's language. */
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
  const bare = tokens.flatMap((token, at) => {
    const covered = runs.some((run) => run.first <= at && at < run.first + run.length)
    return covered || token.lemma !== null ? [] : [{ token, at }]
  })
  const inside = bare.flatMap(({ token, at }) => {
    if (language === 'en') return runsContracted(token.key, at, entries)
    if (!isWrittenWithoutSpaces(language)) return []
    return runsSpelled(spellingsInside(token.key, language, entries), at, language, entries)
  })
  return [...runs, ...inside]
}

/**
 * "An English token under no word counts under the words it is contracted from": what stands before the endings, by all its spellings, and the
 * headwords that the endings are, but for `'s` and `'d`.
 */
function runsContracted(key: string, first: number, entries: Entry[]): Run[] {
  let host = key
  const said: string[] = []
  for (;;) {
    const found = /^(.+)(n't|'re|'ve|'ll|'m|'s|'d)$/u.exec(host)
    if (found === null) break
    host = found[1]!
    if (found[2] === "n't") host = { ca: 'can', wo: 'will', sha: 'shall', ai: '' }[host] ?? host
    said.push(...headwordsOfEnding[found[2]!]!)
  }
  if (host === key) return []
  return entries.flatMap((entry) => {
    if (entry.language !== 'en') return []
    const heads = host !== '' && entry.headwordKey === host
    const asHeadword = heads || said.includes(entry.headwordKey)
    const found = asHeadword || (host !== '' && entry.formKeys.includes(host))
    return found ? [{ entry, first, length: 1, asHeadword }] : []
  })
}

const headwordsOfEnding: Record<string, string[]> = {
  "n't": ['not'],
  "'re": ['are', 'be'],
  "'ve": ['have'],
  "'ll": ['will'],
  "'m": ['am', 'be'],
  "'s": [],
  "'d": [],
}

/**
 * "In ja and zh a token under no word counts under the spellings inside it": from its start the longest each time. Those with a Han
 * character and two signs; in zh one sign that stands alone will do where spellings make up all of it.
 */
function spellingsInside(key: string, language: string, entries: Entry[]): string[] {
  const spellings: string[] = []
  let rest = key
  let leftOut = false
  while (rest !== '') {
    const begin = entries
      .filter((entry) => entry.language === language)
      .flatMap((entry) => [entry.headwordKey, ...entry.formKeys])
      .filter((spelling) => spelling !== '' && rest.startsWith(spelling))
      .toSorted((a, b) => b.length - a.length)[0]
    if (begin === undefined) leftOut = true
    else spellings.push(begin)
    rest = rest.slice(begin?.length ?? 1)
  }
  return spellings.filter((spelling) => {
    if ([...spelling].length > 1) return /\p{Script=Han}/u.test(spelling)
    return language === 'zh' && !leftOut && signsThatStand.includes(spelling)
  })
}

const signsThatStand =
  '一二三四五六七八九十百千万两几这那哪你我他她它您的地得了着是不没有在也都就很太更最会能要可只还再又吗呢吧个種种次位块些里中和与给把被对从這個會'

/** The words that spellings inside a token are the headword or a form of, each once. */
function runsSpelled(counting: string[], first: number, language: string, entries: Entry[]): Run[] {
  return entries.flatMap((entry) => {
    if (entry.language !== language) return []
    const asHeadword = counting.includes(entry.headwordKey)
    const found = asHeadword || entry.formKeys.some((form) => counting.includes(form))
    return found ? [{ entry, first, length: 1, asHeadword }] : []
  })
}

/** "Phrases match runs of tokens within a cue, not across a sentence end in its text" */
function spansSentenceEnd(said: Token[]): boolean {
  return said.slice(1).some((token) => token.opensSentence)
}

/**
 * "a token is indexed under the catalogue words that its `lemma` names, if it has one (a lemma that names none: under
 * nothing); else those whose headword or form it is." A lemma names headwords only. Runs of two tokens or more match by
 * their texts, whatever their lemmas: "their tokens count for the single words too".
 */
function matchedAs(said: Token[], entry: Entry): 'headword' | 'form' | null {
  const lemma = said.length === 1 ? said[0]!.lemma : null
  if (lemma !== null) {
    const names = entry.headwordKey !== '' && keyOf(lemma, entry.language) === entry.headwordKey
    return names ? 'headword' : null
  }
  if (spells(said, entry.headwordKey, entry.language)) return 'headword'
  return entry.formKeys.some((key) => spells(said, key, entry.language)) ? 'form' : null
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

/** Every run is an occurrence of its word; two runs of one word from the same token count once, as the longest. */
export function occurrencesIn(runs: Run[], entry: Entry): Run[] {
  const own = runs.filter((run) => run.entry === entry)
  return own.filter((run) => !own.some((other) => other.first === run.first && other.length > run.length))
}

/** `wordIds`: "all of them, the phrase of most tokens first, then headword before inflected form, then the lower id" */
export function wordIdsAt(index: number, runs: Run[]): number[] {
  const through = runs.filter((run) => run.first <= index && index < run.first + run.length)
  const ordered = through.toSorted(
    (a, b) =>
      b.length - a.length ||
      Number(b.asHeadword) - Number(a.asHeadword) ||
      a.entry.word.wordId - b.entry.word.wordId,
  )
  const ids: number[] = []
  for (const run of ordered) {
    if (!ids.includes(run.entry.word.wordId)) ids.push(run.entry.word.wordId)
  }
  return ids
}

/**
 * `GET /sentences` (contract 1.6).
 */
import type { SentenceClip, SentenceMatch } from '#contract/sentences.ts'
import { feedClip } from './clips.ts'
import type { Indexed, IndexedClip } from './indexed.ts'
import { fitOf, isUnfit, type Known } from './known.ts'
import { isFilteredOut, type ListFilter } from './list-filter.ts'
import { isWrittenWithoutSpaces, occurrencesIn, wordIdsAt, type Entry } from './matching.ts'
import { endOf, placesOf, startOf } from './places.ts'
import { foldForSearch, nfc } from './spelling.ts'
import { LEVELS, type Gloss, type Level } from './source.ts'
import { contextOf, type Span } from './sentence-context.ts'
import { tokensOf, type Token } from './tokens.ts'
import { entriesSpelled } from './word-clips.ts'

export type SentencesQuery = {
  q: string
  language: string
  match: 'forms' | 'exact'
  levels: Level[] | null
  known?: Known
  filter?: ListFilter
  context?: boolean
  gloss?: Gloss
}

/** A token of the query: folded, with the words that it spells. */
type Asked = { text: string; folded: string; wordIds: number[] }

/** A run of tokens that matches. */
type Match = { run: Said[]; kind: 'exact' | 'form' }

/** A spoken token: its cue, its index there, and whether a sentence ends before it. */
type Said = { token: Token; cue: number; inCue: number; opensSentence: boolean }

/** All clips that match, in order. */
export function sentences(query: SentencesQuery, index: Indexed): SentenceClip[] {
  const { q, language, match, levels, known, filter = {}, context, gloss = 'en' } = query
  const texts = queryTokens(q, language)
  const isForms = match === 'forms'
  const spelled = (text: string) => (isForms ? entriesSpelled(text, language, index) : [])
  const asked = texts.map((text) => ({
    text,
    folded: foldForSearch(text, language),
    wordIds: spelled(text).map(({ word }) => word.wordId),
  }))
  const runsFrom = isWrittenWithoutSpaces(language)
    ? (clip: IndexedClip) => joinedRuns(clip, asked, spelled)
    : (clip: IndexedClip) => tokenRuns(clip, asked)
  const items: SentenceClip[] = []
  for (const clip of index.clips) {
    if (clip.source.language !== language) continue
    if (levels !== null && !levels.includes(clip.source.level)) continue
    if (isFilteredOut(clip, filter)) continue
    const fit = known && fitOf(clip, known, index)
    if (fit && isUnfit(fit, known)) continue
    const matches = asked.length === 0 ? [] : matchesIn(clip, runsFrom(clip), context ? gloss : null)
    if (matches.length === 0) continue
    const inTimeOrder = matches.toSorted((a, b) => a.tStart - b.tStart) // The sort is stable: in the order of tokens among equals "`matches`: the first 3, in time order"
    items.push({ clip: feedClip(clip), matchCount: matches.length, matches: inTimeOrder.slice(0, 3), ...fit })
  }
  return items.toSorted(
    (a, b) =>
      LEVELS.indexOf(a.clip.level) - LEVELS.indexOf(b.clip.level) ||
      b.matchCount - a.matchCount ||
      (a.clip.clipId < b.clip.clipId ? -1 : 1),
  )
}

/** "tokens after the tokenisation of transcripts" */
export function queryTokens(q: string, language: string): string[] {
  const cue = { tStart: 0, tEnd: 1, text: nfc(q) }
  return tokensOf(cue, language).map(({ text }) => text)
}

function matchesIn(clip: IndexedClip, matches: Match[], gloss: Gloss | null): SentenceMatch[] {
  return matches.map(({ run, kind }) => {
    const [start, end] = [run[0]!, run.at(-1)!]
    const span: Span = { first: [start.cue, start.inCue], last: [end.cue, end.inCue] }
    return { ...shown(clip, run, kind), ...(gloss && contextOf(clip, span, gloss)) }
  })
}

/** "A run may cross cues but not the end of a sentence" */
const crossesSentenceEnd = (run: Said[]): boolean => run.slice(1).some(({ opensSentence }) => opensSentence)

/**
 * "A run of consecutive spoken tokens matches when each equals the query's token …. every place
 * where a run begins counts"
 */
function tokenRuns(clip: IndexedClip, asked: Asked[]): Match[] {
  const said = spoken(clip)
  const matches: Match[] = []
  for (let first = 0; first + asked.length <= said.length; first++) {
    const run = said.slice(first, first + asked.length)
    if (crossesSentenceEnd(run)) continue
    const kinds = run.map((said, i) => kindOf(said, asked[i]!, clip))
    if (kinds.includes(null)) continue
    matches.push({ run, kind: kinds.every((each) => each === 'exact') ? 'exact' : 'form' })
  }
  return matches
}

/**
 * "In ja and zh a run also matches when its tokens, joined, equal the query's tokens, joined ….
 * With `forms` any headword or form may be spelled so, a headword of several tokens counts once,
 * where it begins"
 */
function joinedRuns(clip: IndexedClip, asked: Asked[], spelled: (text: string) => Entry[]): Match[] {
  const said = spoken(clip)
  const { language } = clip.source
  const whole = asked.map(({ folded }) => folded).join('')
  const fold = ({ token }: Said) => foldForSearch(token.text, language)
  /** Returns the ends of the runs from a token on that match `rest`, the query from token `i`. */
  const formEnds = (at: number, i: number, rest: string): number[] => {
    if (rest === '') return [at]
    if (at === said.length) return []
    const ends: number[] = []
    const text = fold(said[at]!)
    const isTokenStart =
      rest ===
      asked
        .slice(i)
        .map(({ folded }) => folded)
        .join('')
    if (rest.startsWith(text)) {
      const left = rest.slice(text.length)
      const next = asked.findIndex(
        (_, k) =>
          k >= i &&
          asked
            .slice(k)
            .map(({ folded }) => folded)
            .join('').length <= left.length,
      )
      ends.push(...formEnds(at + 1, next < 0 ? asked.length : next, left))
    }
    for (let to = i + 1; isTokenStart && to <= asked.length; to++) {
      const part = asked.slice(i, to)
      const left = rest.slice(part.map(({ folded }) => folded).join('').length)
      for (const entry of spelled(part.map((token) => token.text).join('')))
        for (const { first, length } of occurrencesIn(clip.cues[said[at]!.cue]!.runs, entry))
          if (first === said[at]!.inCue) ends.push(...formEnds(at + length, to, left))
    }
    return ends
  }
  const matches: Match[] = []
  for (const first of said.keys()) {
    let end = first
    let joined = ''
    while (end < said.length && joined.length < whole.length) joined += fold(said[end++]!)
    const exact = said.slice(first, end)
    if (joined === whole && !crossesSentenceEnd(exact)) {
      matches.push({ run: exact, kind: 'exact' })
      continue
    }
    const runs = formEnds(first, 0, whole).map((to) => said.slice(first, to))
    const [run] = runs.filter((each) => !crossesSentenceEnd(each)).toSorted((a, b) => a.length - b.length)
    if (run) matches.push({ run, kind: 'form' })
  }
  return matches
}

/**
 * "each equals the query's token after folding …, or, with `forms`, when it is indexed under a
 * catalogue word that the query's token spells"
 */
function kindOf({ token, cue, inCue }: Said, asked: Asked, { source, cues }: IndexedClip) {
  if (foldForSearch(token.text, source.language) === asked.folded) return 'exact'
  const wordIds = wordIdsAt(inCue, cues[cue]!.runs)
  return wordIds.some((id) => asked.wordIds.includes(id)) ? 'form' : null
}

/** Returns the tokens of a clip in order. The text between two cues may end a sentence. */
function spoken({ source, cues }: IndexedClip): Said[] {
  const said: Said[] = []
  let between = ''
  for (const [cue, { source: line, tokens }] of cues.entries()) {
    const places = placesOf(tokens, line.text, source.language).filter((place) => place !== null)
    const text = [...nfc(line.text)]
    if (tokens.length === 0) {
      between += text.join('')
      continue
    }
    between += text.slice(0, places[0]?.start ?? 0).join('')
    for (const [inCue, token] of tokens.entries()) {
      const opensSentence = inCue === 0 ? /[.!?…。！？｡]/u.test(between) : token.opensSentence
      said.push({ token, cue, inCue, opensSentence })
    }
    between = text.slice(places.at(-1)?.end ?? 0).join('')
  }
  return said
}

/**
 * "`text` is that of the cue or cues the run lies in (joined by a space; by nothing in ja and zh)"
 */
function shown({ source, cues }: IndexedClip, run: Said[], kind: 'exact' | 'form'): SentenceMatch {
  const separator = isWrittenWithoutSpaces(source.language) ? '' : ' '
  const numbers = [...new Set(run.map(({ cue }) => cue))]
  const lines = numbers.map((number) => cues[number]!)
  const text = lines.map((line) => nfc(line.source.text)).join(separator)
  const beforeLast = lines
    .slice(0, -1)
    .reduce((sum, line) => sum + [...nfc(line.source.text)].length + separator.length, 0)
  const [first, last] = [run[0]!, run.at(-1)!]
  return {
    tStart: first.token.tStart,
    tEnd: last.token.tEnd,
    text,
    start: startOf(lines[0]!, first.inCue, source.language),
    end: beforeLast + endOf(lines.at(-1)!, last.inCue, source.language),
    kind,
  }
}

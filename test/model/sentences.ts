/**
 * `GET /sentences` (contract 1.6).
 */
import type { SentenceClip, SentenceMatch } from '#contract/sentences.ts'
import { feedClip } from './clips.ts'
import type { Indexed, IndexedClip } from './indexed.ts'
import { fitOf, isUnfit } from './known.ts'
import type { Known } from './known.ts'
import { isFilteredOut } from './list-filter.ts'
import type { ListFilter } from './list-filter.ts'
import { isWrittenWithoutSpaces, wordIdsAt } from './matching.ts'
import { endOf, placesOf, startOf } from './places.ts'
import { foldForSearch, nfc } from './spelling.ts'
import { LEVELS } from './source.ts'
import type { Gloss, Level } from './source.ts'
import { contextOf } from './sentence-context.ts'
import type { Span } from './sentence-context.ts'
import { tokensOf } from './tokens.ts'
import type { Token } from './tokens.ts'
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

/** A token of the query: folded, and the words that it spells. */
type Asked = { folded: string; wordIds: number[] }

/** A token as it is said: its cue, its place there, and whether a sentence ends before it. */
type Said = { token: Token; cue: number; inCue: number; opensSentence: boolean }

/** All clips that match, in order. */
export function sentences(query: SentencesQuery, index: Indexed): SentenceClip[] {
  const { q, language, match, levels, known, filter = {}, context, gloss = 'en' } = query
  const asked = queryTokens(q, language).map((text) => ({
    folded: foldForSearch(text, language),
    wordIds: match === 'exact' ? [] : entriesSpelled(text, language, index).map(({ word }) => word.wordId),
  }))
  const items: SentenceClip[] = []
  for (const clip of index.clips) {
    if (clip.source.language !== language) continue
    if (levels !== null && !levels.includes(clip.source.level)) continue
    if (isFilteredOut(clip, filter)) continue
    const fit = known && fitOf(clip, known, index)
    if (fit && isUnfit(fit, known)) continue
    const matches = matchesIn(clip, asked, context ? gloss : null)
    if (matches.length === 0) continue
    const inTimeOrder = matches.toSorted((a, b) => a.tStart - b.tStart) // stable: in the order of tokens among equals
    // "`matches`: the first 3, in time order"
    items.push({
      clip: feedClip(clip),
      matchCount: matches.length,
      matches: inTimeOrder.slice(0, 3),
      ...fit,
    })
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

/**
 * "A run of consecutive spoken tokens matches when each equals the query's token …. every place
 * where a run begins counts"
 */
function matchesIn(clip: IndexedClip, asked: Asked[], gloss: Gloss | null): SentenceMatch[] {
  const said = spoken(clip)
  const matches: SentenceMatch[] = []
  for (let first = 0; asked.length > 0 && first + asked.length <= said.length; first++) {
    const run = said.slice(first, first + asked.length)
    // "A run may cross cues but not the end of a sentence"
    if (run.slice(1).some(({ opensSentence }) => opensSentence)) continue
    const kinds = run.map((said, i) => kindOf(said, asked[i]!, clip))
    if (kinds.includes(null)) continue
    const kind = kinds.every((each) => each === 'exact') ? 'exact' : 'form'
    const [start, end] = [run[0]!, run.at(-1)!]
    const span: Span = { first: [start.cue, start.inCue], last: [end.cue, end.inCue] }
    matches.push({ ...shown(clip, run, kind), ...(gloss && contextOf(clip, span, gloss)) })
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

/**
 * The tokens of a clip in order. Between two cues a sentence ends where the text behind the last
 * token or before the next one says so.
 */
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

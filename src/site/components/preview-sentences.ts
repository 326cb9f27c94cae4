import { highlight } from '#client/helpers/highlight.ts'
import type { FeedClip } from '#contract/clip.ts'
import { matchesShown } from '#contract/matches-shown.ts'
import type { SentenceMatch, SentencePage } from '#contract/sentences.ts'
import type { Cue, TranscriptWord } from '#contract/transcript.ts'
import { spellingFold } from '#language/folds.ts'
import { matchKey } from '#language/match-key.ts'
import { sentenceEnd } from '#language/sentence-end.ts'
import { isUnspaced, separatorOf } from '#language/unspaced.ts'
import type { PreviewWord } from '#site/build/previews.ts'
import { findWord } from './previews.ts'

/** A clip with its transcript. */
interface SpokenClip {
  clip: FeedClip
  cues: Cue[]
}

/** A token of a transcript, and the index of its cue. */
type Token = TranscriptWord & { cue: number }

/** A run of tokens, from the first to the last. */
interface Run {
  first: number
  last: number
  kind: SentenceMatch['kind']
}

/**
 * Finds the clips in which a text is said, in one of the forms of its words, as `/sentences` does.
 *
 * @param words the words of the language, which name the forms
 */
export function searchSentences(
  clips: readonly SpokenClip[],
  words: readonly PreviewWord[],
  text: string,
  language: string,
): SentencePage {
  const query = unitsOf(text, language).map((unit) => ({
    unit,
    wordId: isUnspaced(language) ? undefined : findWord(words, unit, language)?.wordId,
  }))
  const items = clips.flatMap(({ clip, cues }) => {
    const tokens = cues.flatMap((cue, i) => cue.words.map((token): Token => ({ ...token, cue: i })))
    const matches = tokens.flatMap((_, first) => {
      const run = runAt(first, tokens, query, language)
      if (!run) return []
      const match = matchOf(run, tokens, cues, language)
      const isOneSentence = !sentenceEnd.test(highlight(match.text, match.start, match.end).match)
      return isOneSentence ? [match] : []
    })
    if (matches.length === 0) return []
    return [{ clip, matchCount: matches.length, matches: matches.slice(0, matchesShown) }]
  })
  items.sort(
    (a, b) =>
      a.clip.level.localeCompare(b.clip.level) ||
      b.matchCount - a.matchCount ||
      a.clip.clipId.localeCompare(b.clip.clipId),
  )
  return { items, totalCount: items.length, nextCursor: null }
}

/** Splits a text into folded words, or into characters in languages without spaces. */
function unitsOf(text: string, language: string): string[] {
  const key = spellingFold(matchKey(text, language), language)
  if (isUnspaced(language)) return [...key.replaceAll(' ', '')]
  return key === '' ? [] : key.split(' ')
}

/** Returns the run of tokens that matches a query and starts at a token; null if there is none. */
function runAt(
  first: number,
  tokens: readonly Token[],
  query: readonly { unit: string; wordId: number | undefined }[],
  language: string,
): Run | null {
  let kind: Run['kind'] = 'exact'
  let position = 0
  let next = first
  while (position < query.length) {
    const token = tokens[next++]
    if (!token) return null
    const rest = query.slice(position)
    const isSaid = (units: readonly string[]) =>
      units.length > 0 && units.every((unit, i) => unit === rest[i]?.unit)
    const units = [token.text, token.reading ?? ''].map((each) => unitsOf(each, language)).find(isSaid)
    const { wordId } = rest[0]!
    if (!units && (wordId === undefined || !token.wordIds?.includes(wordId))) return null
    if (!units) kind = 'form'
    position += units?.length ?? 1
  }
  return query.length === 0 ? null : { first, last: next - 1, kind }
}

/** Returns the match of a run: its cues as one text, and the position of the run in it. */
function matchOf(
  { first, last, kind }: Run,
  tokens: readonly Token[],
  cues: readonly Cue[],
  language: string,
) {
  const [begin, end] = [tokens[first]!, tokens[last]!]
  const separator = separatorOf(language)
  const texts = cues.slice(begin.cue, end.cue + 1).map(({ text }) => text)
  const textBefore = texts.slice(0, -1).map((text) => text + separator)
  const { length } = [...textBefore.join('')]
  return {
    tStart: begin.tStart,
    tEnd: end.tEnd,
    text: texts.join(separator),
    start: begin.start ?? 0,
    end: length + (end.end ?? 0),
    kind,
  }
}

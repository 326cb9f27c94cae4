import type { ClipIndex } from './index/index-clip.ts'
import { sentenceTokensMax } from '#contract/sentences.ts'
import { sentenceEnd } from '#language/sentence-end.ts'
import { isUnspaced } from '#language/unspaced.ts'
import type { Token, TokenisedCue } from './index/tokenise.ts'
import { endTerm } from '#release/sentences/layout.ts'
import type { Speech } from '#release/sentences/writer.ts'

export function clipSpeech(cues: readonly TokenisedCue[], index: ClipIndex, language: string): Speech {
  const starts = sentenceStarts(cues, index)
  const terms: string[] = []
  /** The positions of tokens, by cue and token. */
  const positions: number[][] = []
  let token = 0
  for (const { tokens } of cues) {
    const cuePositions: number[] = []
    for (const { text } of tokens) {
      if (starts[token++]) terms.push(endTerm)
      cuePositions.push(terms.push(text) - 1)
    }
    positions.push(cuePositions)
  }
  terms.push(endTerm)
  const words = isUnspaced(language) ? wordStarts(index, positions) : wordsOfTokens(index, positions)
  return { tokens: terms, words, forms: formsIn(cues, index, language) }
}

/** Returns each word at every token that is indexed under it. */
function wordsOfTokens({ wordIds }: ClipIndex, positions: readonly number[][]): number[] {
  const words: number[] = []
  for (const [cue, cuePositions] of positions.entries())
    for (const [t, position] of cuePositions.entries())
      for (const wordId of wordIds[cue]![t]!) words.push(position, wordId, 1)
  return words
}

/** Returns each word at its first token, unless it has more tokens than a query may have. */
function wordStarts({ hits }: ClipIndex, positions: readonly number[][]): number[] {
  const starts: [position: number, wordId: number, tokenCount: number][] = []
  for (const [{ wordId }, wordHits] of hits)
    for (const { cue, start, length } of wordHits)
      if (length <= sentenceTokensMax) starts.push([positions[cue]![start]!, wordId, length])
  return starts.sort(([a], [b]) => a - b).flat()
}

function formsIn(cues: readonly TokenisedCue[], { hits }: ClipIndex, language: string): Speech['forms'] {
  const forms: Speech['forms'] = []
  for (const [{ wordId, word }, allHits] of hits) {
    const wordHits = allHits.filter(({ isPart }) => !isPart)
    const spokenForms = wordHits.map(({ form }) => form)
    if (language === 'ja')
      for (const { cue, start, length } of wordHits)
        spokenForms.push(conjugatedForm(word, cues[cue]!.tokens, start, length))
    for (const [i, form] of spokenForms.entries())
      if (form !== word && spokenForms.indexOf(form) === i) forms.push(wordId, form)
  }
  return forms
}

/**
 * Returns whether each token of a clip, counted through all its cues, starts a sentence after
 * another. Inside a cue, the tokens say so. Between cues, it depends on the text between the last
 * token of one and the first of the next, including cues without tokens between them.
 */
function sentenceStarts(cues: readonly TokenisedCue[], { places }: ClipIndex): boolean[] {
  const starts: boolean[] = []
  let gap = ''
  for (const [c, { text, tokens }] of cues.entries()) {
    if (tokens.length === 0) {
      gap += text
      continue
    }
    const shownPositions = places[c]!.filter((place) => place !== null)
    const before = text.slice(0, shownPositions[0]?.start ?? 0)
    for (let i = 0; i < tokens.length; i++) {
      const isStart = i === 0 ? sentenceEnd.test(gap + before) : tokens[i]!.startsSentence
      starts.push(isStart && starts.length > 0)
    }
    gap = text.slice(shownPositions.at(-1)?.end ?? 0)
  }
  return starts
}

/** Matches the ends of headwords of Japanese verbs and adjectives. */
const conjugatedEnding = /[うくぐすつぬぶむるい]$/
/** The auxiliaries and endings that follow their stems. */
const endings = new Set(
  'た ます ない ぬ ん たい たがる れる られる せる させる う よう まい て で ば'.split(' '),
)

/**
 * Returns a Japanese verb or adjective with all its endings, as spoken from the token `start` of a
 * cue: 食べました for 食べ, 読んでいました for 読んで. The word itself has `length` tokens.
 */
function conjugatedForm(headword: string, tokens: readonly Token[], start: number, length: number): string {
  let end = start + length
  // A stem is never the headword, so only an analyser can have matched it.
  const isStem = conjugatedEnding.test(headword) && tokens[start]!.words !== undefined
  while (isStem && end < tokens.length && !tokens[end]!.startsSentence) {
    const { text, words = [{ lemmas: [text], length: 1 }] } = tokens[end]!
    const isProgressive = /[てで]$/.test(tokens[end - 1]!.text)
    const isEnding = (lemma: string) => endings.has(lemma) || (isProgressive && lemma === 'いる')
    if (!words.some(({ lemmas }) => lemmas.some(isEnding))) break
    end += Math.max(...words.map(({ length }) => length))
  }
  return tokens
    .slice(start, end)
    .map(({ text }) => text)
    .join('')
}

import type { ClipIndex } from './index/index-clip.ts'
import { sentenceEnd, type Token, type TokenisedCue } from './index/tokenise.ts'
import { endTerm } from '#release/sentences/layout.ts'
import type { Speech } from '#release/sentences/writer.ts'

/** What the sentence index takes of an indexed clip. */
export function clipSpeech(cues: readonly TokenisedCue[], index: ClipIndex, language: string): Speech {
  const starts = sentenceStarts(cues, index)
  const spoken: string[] = []
  const words: number[] = []
  let token = 0
  for (const [c, { tokens }] of cues.entries()) {
    for (const [t, { text }] of tokens.entries()) {
      if (starts[token++]) spoken.push(endTerm)
      for (const wordId of index.wordIds[c]![t]!) words.push(spoken.length, wordId)
      spoken.push(text)
    }
  }
  spoken.push(endTerm)
  return { tokens: spoken, words, forms: formsIn(cues, index, language) }
}

function formsIn(cues: readonly TokenisedCue[], { hits }: ClipIndex, language: string): Speech['forms'] {
  const forms: Speech['forms'] = []
  for (const [{ wordId, word }, found] of hits) {
    const said = found.map(({ form }) => form)
    if (language === 'ja')
      for (const { cue, start, length } of found)
        said.push(conjugatedForm(word, cues[cue]!.tokens, start, length))
    for (const [i, form] of said.entries())
      if (form !== word && said.indexOf(form) === i) forms.push(wordId, form)
  }
  return forms
}

/**
 * Whether each token of a clip, counted through all its cues, begins a sentence. The first does not
 * count.
 * Inside a cue the tokens say it. Between cues, the text between the last token of one and the
 * first of the next decides, including cues without tokens between them.
 */
function sentenceStarts(cues: readonly TokenisedCue[], { places }: ClipIndex): boolean[] {
  const starts: boolean[] = []
  let gap = ''
  for (const [c, { text, tokens }] of cues.entries()) {
    if (tokens.length === 0) {
      gap += text
      continue
    }
    const found = places[c]!.filter((place) => place !== null)
    const before = text.slice(0, found[0]?.start ?? 0)
    for (let i = 0; i < tokens.length; i++) {
      const isStart = i === 0 ? sentenceEnd.test(gap + before) : tokens[i]!.startsSentence
      starts.push(isStart && starts.length > 0)
    }
    gap = text.slice(found.at(-1)?.end ?? 0)
  }
  return starts
}

/** How the headwords of Japanese verbs and adjectives end. */
const conjugated = /[うくぐすつぬぶむるい]$/
/** The auxiliaries and endings that follow their stems. */
const endings = new Set(
  'た ます ない ぬ ん たい たがる れる られる せる させる う よう まい て で ば'.split(' '),
)

/**
 * A Japanese verb or adjective with all its endings, where it is said in the `length` tokens from
 * `start` of a cue: 食べ is said in 食べました, 読んで in 読んでいました.
 */
function conjugatedForm(headword: string, tokens: readonly Token[], start: number, length: number): string {
  let end = start + length
  // A stem is never the headword, so its analyser has named it. Without one, nothing is known.
  const isStem = conjugated.test(headword) && tokens[start]!.words !== undefined
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

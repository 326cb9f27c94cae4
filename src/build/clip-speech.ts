import { conjugatedForm } from '#indexing/conjugated-form.ts'
import type { ClipIndex } from '#indexing/index-clip.ts'
import { sentenceStarts } from '#indexing/sentence-starts.ts'
import type { TokenisedCue } from '#indexing/tokenise.ts'
import { isUnspaced } from '#language/unspaced.ts'
import { endTerm } from '#release/sentences/layout.ts'
import type { Speech } from '#release/sentences/speech.ts'

/** What the sentence index takes of an indexed clip. */
export function clipSpeech(cues: readonly TokenisedCue[], index: ClipIndex, language: string): Speech {
  const starts = new Set(sentenceStarts(cues, index.spellings, language))
  const lines: string[] = []
  const words: number[] = []
  let token = 0
  for (const [c, { tokens }] of cues.entries()) {
    for (const [t, { text }] of tokens.entries()) {
      if (starts.has(token++)) lines.push(endTerm)
      for (const wordId of index.wordIds[c]![t]!) words.push(lines.length, wordId)
      // A source may have a line break inside a token.
      lines.push(text.replaceAll('\n', ' '))
    }
  }
  if (lines.length > 0) lines.push(endTerm)
  return { lines: lines.join('\n'), words, forms: formsIn(cues, index, language) }
}

function formsIn(cues: readonly TokenisedCue[], { hits }: ClipIndex, language: string): Speech['forms'] {
  const separator = isUnspaced(language) ? '' : ' '
  const forms: Speech['forms'] = []
  for (const [{ wordId, word }, found] of hits) {
    const texts = new Set<string>()
    for (const { cue, start, length } of found) {
      const { tokens } = cues[cue]!
      const said = tokens.slice(start, start + length).map(({ text }) => text)
      texts.add(said.join(separator))
      if (language === 'ja') texts.add(conjugatedForm(word, tokens, start, length))
    }
    for (const form of texts) forms.push(wordId, form)
  }
  return forms
}

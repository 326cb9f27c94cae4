import type { Token } from './tokenise.ts'

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
export function conjugatedForm(
  headword: string,
  tokens: readonly Token[],
  start: number,
  length: number,
): string {
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

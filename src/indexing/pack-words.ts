import type { TokenisedCue } from './index-clip.ts'
import type { TokenWord } from './token-word.ts'

/*
 * What an analyser said of a clip, as a text for the state of a tree: a line for each token of
 * which it says more than its spelling does, `cue.token`, then for each word a tab, how it lies,
 * and its lemmas:
 *
 *     0.3 ⇥ 食べる        1.0 ⇥ 2 図書館        1.4 ⇥ * けれども
 *
 * A number is how many tokens the word reaches over, `~` that it is not just its token, `*` that it
 * is a function word. Tokens without a line go by their spelling.
 */

export function packWords(cues: readonly TokenisedCue[]): string {
  return cues
    .flatMap(({ tokens }, c) =>
      tokens.flatMap(({ text, words }, t) => {
        const packed = (words ?? []).map((word) => packWord(word, text))
        return packed.some((word) => word !== '') ? [[`${c}.${t}`, ...packed].join('\t')] : []
      }),
    )
    .join('\n')
}

/** Empty where the word says no more than the token's spelling. */
function packWord({ length, lemmas, isFunctionWord, spelling }: TokenWord, text: string): string {
  const plain = lemmas.filter((lemma) => !/[\t\n\r|]/.test(lemma))
  // The token's own text comes last in any case.
  while (spelling === undefined && length === 1 && plain.at(-1) === text) plain.pop()
  const marks = `${length > 1 ? length : ''}${spelling === undefined ? '' : '~'}${isFunctionWord ? '*' : ''}`
  // Particles of one letter are no reading of anything.
  return plain.length === 0 && (marks === '' || (marks === '*' && text.length === 1))
    ? ''
    : `${marks} ${plain.join('|')}`
}

export function unpackWords(cues: readonly TokenisedCue[], packed: string): void {
  for (const line of packed === '' ? [] : packed.split('\n')) {
    const [place, ...words] = line.split('\t')
    const [c, t] = place!.split('.').map(Number) as [number, number]
    const tokens = cues[c]?.tokens
    const token = tokens?.[t]
    if (!token) continue
    token.words = words.map((word) => unpackWord(word, token.text))
    const longest = Math.max(...token.words.map(({ length }) => length))
    for (let i = t + 1; i < t + longest && i < tokens.length; i++) tokens[i]!.words ??= []
  }
}

function unpackWord(word: string, text: string): TokenWord {
  const [, length, part, mark, lemmas] = /^(\d*)(~?)(\*?) ?(.*)$/u.exec(word)!
  return {
    length: length === '' ? 1 : Number(length),
    lemmas: [...(lemmas === '' ? [] : lemmas!.split('|')), ...(part === '' ? [text] : [])],
    isFunctionWord: mark === '*',
    ...(part === '' ? {} : { spelling: '' }),
  }
}

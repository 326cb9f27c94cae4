import type { TokenisedCue } from './tokenise.ts'
import type { TokenWord } from '#language/analysers/analyser.ts'

/*
 * The words that an analyser found in a clip, as a text for the state of a tree. There is a line
 * for each token whose words differ from its spelling: `cue.token`, then for each word a tab, its
 * marks and its lemmas:
 *
 *     0.3 ⇥ 食べる        1.0 ⇥ 2 図書館        1.4 ⇥ * けれども
 *
 * The marks: a number is how many tokens the word covers, `~` says that it is not exactly its
 * token, and `*` that it is a function word. Tokens without a line are matched by their spelling.
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

/** Empty if the word is the token's spelling. */
function packWord({ length, lemmas, isFunctionWord, spelling }: TokenWord, text: string): string {
  const plain = lemmas.filter((lemma) => !/[\t\n\r|]/.test(lemma))
  // Unpacking adds the token's own text as the last lemma.
  while (spelling === undefined && length === 1 && plain.at(-1) === text) plain.pop()
  const marks = `${length > 1 ? length : ''}${spelling === undefined ? '' : '~'}${isFunctionWord ? '*' : ''}`
  // Particles of one letter match nothing by reading, so that their mark is not needed.
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

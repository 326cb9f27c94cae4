import type { SpokenToken, TokenWord } from './analyser.ts'
import { readLists } from './data-file.ts'

const isIn = readLists('english-words.txt')
/** Whether a word may be separated from its verb: up, on. */
export const isParticle = (word: string) => isIn('adverbial', word) || isIn('prepositional', word)

/** The maximum distance of a particle from its verb. */
const farthest = 4

/**
 * Returns the verbs that an object separates from their particle, keyed by the index of the token
 * in which they start. `headwords` are those of the catalogue, such as "look up". `basesOf`
 * returns the words of which a token may be a form. Tokens and headwords are in lower case.
 */
export function separatedVerbs(
  tokens: readonly SpokenToken[],
  headwords: ReadonlySet<string>,
  basesOf: (token: string) => readonly string[],
): Map<number, TokenWord[]> {
  const wordsByIndex = new Map<number, TokenWord[]>()
  for (let at = 2; at < tokens.length; at++) {
    const particle = tokens[at]!.text
    if (!isParticle(particle) || isPreposition(particle, tokens[at + 1])) continue
    for (let start = at - 2; start >= Math.max(0, at - farthest); start--) {
      if (!isObject(tokens.slice(start + 1, at + 1))) continue
      const verbs = basesOf(tokens[start]!.text).map((base) => `${base} ${particle}`)
      const verb = verbs.find((known) => headwords.has(known))
      if (verb === undefined) continue
      wordsByIndex
        .getOrInsert(start, [])
        .push({ length: at - start + 1, lemmas: [verb], isFunctionWord: false })
      break
    }
  }
  return wordsByIndex
}

function isPreposition(particle: string, next: SpokenToken | undefined): boolean {
  if (!isIn('prepositional', particle) || next === undefined || next.startsSentence) return false
  return isIn('determiner', next.text) || isIn('pronoun', next.text)
}

/** Whether tokens can be an object followed by a particle, which is the last token. */
function isObject(tokens: readonly SpokenToken[]): boolean {
  if (tokens.some(({ startsSentence }) => startsSentence)) return false
  const words = tokens.slice(0, -1).map(({ text }) => text)
  if (words.length === 1 && isIn('pronoun', words[0]!)) return true
  if (words.some((word) => isIn('other', word) || isParticle(word))) return false
  // A pronoun or a determiner starts an object, and is not all of it: pick the kids up.
  return !isIn('determiner', words.at(-1)!) && words.slice(1).every((word) => !isIn('pronoun', word))
}

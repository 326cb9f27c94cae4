import type { SpokenToken } from './analyser.ts'
import type { TokenWord } from './token-word.ts'

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '))

/** Particles that are hardly ever prepositions behind an object. */
const adverbial = setOf('up out away back apart together aside forward')
/** Those that are prepositions where an object of their own follows: put it on the table. */
const prepositional = setOf('about across along around by down in off on over through')

const particles = adverbial.union(prepositional)

/** What is an object by itself. */
const pronouns = setOf(
  'me you him her it us them this that these those one everything something anything nothing everyone someone anyone everybody somebody anybody myself yourself himself herself itself ourselves themselves',
)
const determiners = setOf(
  'the a an my your his her its our their this that these those some any no every all both each another what which whose',
)
/** Words of grammar that stand in no object of a few words. */
const others = setOf(
  'i he she we they who to of at for with from into onto than as if and or but because so then there here now just very too also not never always am is are was were be been do does did have has had will would can could may might must should shall when where why how while before after until',
)

/** How far behind its verb a particle may stand. */
const farthest = 4

/** The verbs of a catalogue that have a particle, such as "look up". */
export class ParticleVerbs {
  readonly #verbs = new Map<string, Set<string>>()

  constructor(headwords: readonly string[]) {
    for (const headword of headwords) {
      const [verb, particle, more] = headword.toLowerCase().split(' ')
      if (particle !== undefined && more === undefined && particles.has(particle))
        this.#verbs.getOrInsertComputed(verb!, () => new Set()).add(particle)
    }
  }

  /**
   * The verbs in some tokens that an object separates from their particle, by the token that they
   * begin in. `basesOf` gives what a token may be a form of.
   */
  separatedIn(
    tokens: readonly SpokenToken[],
    basesOf: (token: string) => readonly string[],
  ): Map<number, TokenWord[]> {
    const found = new Map<number, TokenWord[]>()
    if (this.#verbs.size === 0) return found
    for (const [at, { text: particle }] of tokens.entries()) {
      if (!particles.has(particle) || isPreposition(particle, tokens[at + 1])) continue
      for (let start = at - 2; start >= Math.max(0, at - farthest); start--) {
        if (!isObject(tokens.slice(start + 1, at + 1))) continue
        const verb = basesOf(tokens[start]!.text).find((base) => this.#verbs.get(base)?.has(particle))
        if (verb === undefined) continue
        const word = { length: at - start + 1, lemmas: [`${verb} ${particle}`], isFunctionWord: false }
        found.getOrInsert(start, []).push(word)
        break
      }
    }
    return found
  }
}

function isPreposition(particle: string, next: SpokenToken | undefined): boolean {
  if (!prepositional.has(particle) || next === undefined || next.startsSentence) return false
  const word = next.text.toLowerCase()
  return determiners.has(word) || pronouns.has(word)
}

/** Whether tokens, of which the last is the particle, can be an object and that particle. */
function isObject(tokens: readonly SpokenToken[]): boolean {
  if (tokens.some(({ startsSentence }) => startsSentence)) return false
  const words = tokens.slice(0, -1).map(({ text }) => text.toLowerCase())
  if (words.length === 1 && pronouns.has(words[0]!)) return true
  if (words.some((word) => others.has(word) || particles.has(word))) return false
  // A pronoun or a determiner begins an object, and is not all of it: pick the kids up.
  return !determiners.has(words.at(-1)!) && words.slice(1).every((word) => !pronouns.has(word))
}

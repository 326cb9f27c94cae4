import { readRules, type Rules } from './inflection-rules.ts'

/** A possible reading of a word: a stem from a set in rules/<language>.txt, and an ending. */
export interface Reading {
  /** Undefined if the root of the stem is not a headword. */
  headword: string | undefined
  set: string
  stem: string
  rest: string
}

/**
 * The stems of a language whose words have chains of endings. rules/<language>.txt derives the
 * stems of a word in named sets. Under the name of each set, it has a pattern for the endings
 * that can follow a stem of the set.
 */
export class Stems {
  readonly #rules: Rules
  readonly #endings: ReadonlyMap<string, RegExp>
  readonly #stems = new Map<string, Pick<Reading, 'headword' | 'set'>[]>()

  /** `transform` is applied to each line of the rules. */
  constructor(language: string, transform?: (line: string) => string) {
    this.#rules = readRules(`rules/${language}.txt`, transform)
    // The last letter of the stem is included for the lookbehind of endings.
    const patterns = [...this.#rules.patterns]
    this.#endings = new Map(patterns.map(([set, pattern]) => [set, new RegExp(`^.(?:${pattern})$`, 'u')]))
  }

  /** Adds the stems of a word, which may be followed by flags: "kitap/s". */
  add(word: string, headword?: string): void {
    for (const [set, stems] of Object.entries(this.#rules.apply({ word: [word] })))
      for (const stem of this.#endings.has(set) ? stems : [])
        this.#stems.getOrInsert(stem.replace(/\/[a-z]*$/, ''), []).push({ headword, set })
  }

  /** Whether the word starts with one of the stems. */
  hasBeginning(word: string): boolean {
    return beginnings(word).some((text) => this.#stems.has(text))
  }

  /** Returns the readings of a word by the stems of each length, the longest first. */
  readingsOf(word: string): Reading[][] {
    return beginnings(word).map((stem) => {
      const rest = word.slice(stem.length)
      const candidates = this.#stems.get(stem) ?? []
      return candidates
        .filter(({ set }) => this.#endings.get(set)!.test(stem.at(-1)! + rest))
        .map((one) => ({ ...one, stem, rest }))
    })
  }
}

/** Returns the word and all its prefixes, the longest first. */
function beginnings(word: string): string[] {
  return Array.from({ length: word.length }, (_, i) => word.slice(0, word.length - i))
}

/** What English writes on to the word before it, and the headwords that it surely is: `'s` and `'d` may be several. */
const endings: readonly (readonly [ending: string, words: readonly string[]])[] = [
  ["n't", ['not']],
  ["'re", ['are', 'be']],
  ["'ve", ['have']],
  ["'ll", ['will']],
  ["'m", ['am', 'be']],
  ["'s", []],
  ["'d", []],
]

/** What stands before `n't` where that is not the word itself. */
const clipped: Record<string, string> = { ca: 'can', wo: 'will', sha: 'shall', ai: '' }

/** A contraction taken apart. */
export interface Contraction {
  /** The word before the ending; empty where there is none (`ain't`). */
  host: string
  /** Headwords that the endings stand for. */
  said: string[]
}

/**
 * What a token of English with an apostrophe is made of: `don't` is `do` and `not`; `I'm` is `i` and `am`, `be`; `it's` and `world's` are `it` and
 * `world`; `they'd've` is `they` and `have`. Null for other tokens and languages.
 *
 * @param key the token as it is matched: in small letters, with straight apostrophes
 */
export function takeApart(key: string, language: string): Contraction | null {
  if (language !== 'en' || !key.includes("'")) return null
  for (const [ending, said] of endings) {
    if (!key.endsWith(ending) || key.length === ending.length) continue
    const before = key.slice(0, -ending.length)
    const host = ending === "n't" ? (clipped[before] ?? before) : before
    const inner = takeApart(host, language)
    return { host: inner?.host ?? host, said: [...(inner?.said ?? []), ...said] }
  }
  return null
}

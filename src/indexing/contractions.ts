/** What English writes on to the word before it, longest first, and the words that it surely is: `'s` and `'d` are several. */
const endings: readonly (readonly [ending: string, words: readonly string[]])[] = [
  ["n't", ['not']],
  ["'re", ['are']],
  ["'ve", ['have']],
  ["'ll", ['will']],
  ["'m", ['am']],
  ["'s", []],
  ["'d", []],
]

/** What stands before `n't` where that is not the word itself. */
const clipped: Record<string, string> = { ca: 'can', wo: 'will', sha: 'shall', ai: '' }

/**
 * The words that a token of English with an apostrophe is made of, in order: `don't` is `do`, `not`; `it's` is `it`; `world's` is `world`;
 * `they'd've` is `they`, `have`. Empty for other tokens and languages.
 *
 * @param key the token as it is matched: in small letters, with straight apostrophes
 */
export function contracted(key: string, language: string): string[] {
  if (language !== 'en' || !key.includes("'")) return []
  for (const [ending, words] of endings) {
    if (!key.endsWith(ending) || key.length === ending.length) continue
    const before = key.slice(0, -ending.length)
    const host = ending === "n't" ? (clipped[before] ?? before) : before
    const inner = contracted(host, language)
    return [...(inner.length > 0 || host === '' ? inner : [host]), ...words]
  }
  return []
}

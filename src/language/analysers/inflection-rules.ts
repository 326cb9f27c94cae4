import { readDataLines } from './data-file.ts'

/** Sets of words and stems by name. */
export type WordSets = Readonly<Record<string, Iterable<string>>>

interface Rule {
  target: string
  source: string
  pattern: RegExp
  replacements: readonly string[]
  /** Whether what the pattern does not match stays as it is, rather than being left out. */
  keepsOthers: boolean
}

/**
 * Reads rules that make the forms of a word, such as rules/nl.txt. In "stem < word > en$ 0", each
 * text of the set "word" in which the pattern "en$" is found is changed, and the result is added to
 * the set "stem"; several replacements give several results, and 0 is nothing. With "~" for ">",
 * texts without the pattern are added, too. "name = pattern" names a pattern for those below, in
 * which it is "{name}". `transform` is applied to each line first.
 */
export function readRules(name: string, transform = (line: string) => line): (given: WordSets) => WordSets {
  const patterns = new Map<string, string>()
  const rules: Rule[] = []
  for (const line of readDataLines(name).map(transform)) {
    const [target, relation, source, mode, written, ...replacements] = line.split(' ') as string[]
    if (relation === '=') patterns.set(target!, source!)
    else {
      const pattern = new RegExp(
        written!.replace(/\{([a-z]+)\}/g, (_, other: string) => patterns.get(other)!),
        'u',
      )
      const texts = replacements.map((text) => (text === '0' ? '' : text))
      rules.push({
        target: target!,
        source: source!,
        pattern,
        replacements: texts,
        keepsOthers: mode === '~',
      })
    }
  }
  return (given) => {
    const sets = new Map(Object.entries(given).map(([set, texts]) => [set, new Set(texts)]))
    for (const { target, source, pattern, replacements, keepsOthers } of rules) {
      const found = [...(sets.get(source) ?? [])].flatMap((text) => {
        if (!pattern.test(text)) return keepsOthers ? [text] : []
        return replacements.map((replacement) => text.replace(pattern, replacement))
      })
      const known = sets.getOrInsertComputed(target, () => new Set())
      for (const text of found) known.add(text)
    }
    return Object.fromEntries(sets)
  }
}

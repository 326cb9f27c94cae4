import { readDataLines } from './data-file.ts'

/** Sets of words and stems by name. */
export type WordSets = Readonly<Record<string, Iterable<string>>>

interface Rule {
  /** The sets that the rule adds to, each with its replacements. */
  targets: readonly (readonly [set: string, replacements: readonly string[]])[]
  source: string
  pattern: RegExp
  mode: string
}

/**
 * Reads rules that make the forms of a word, such as rules/nl.txt. In "stem < word > en$ 0", each
 * text of the set "word" in which the pattern "en$" is found is changed, and the result is added to
 * the set "stem"; several replacements give several results, and 0 is nothing. With "~" for ">",
 * texts without the pattern are added, too; with "!", those with it leave the set "word", so that
 * no later rule applies to them. Several sets to add to, and the replacements for each, have "|"
 * between them. "name = pattern" names a pattern for those below, in which it is "{name}".
 * `transform` is applied to each line first.
 */
export function readRules(name: string, transform = (line: string) => line): (given: WordSets) => WordSets {
  const patterns = new Map<string, string>()
  const rules: Rule[] = []
  for (const line of readDataLines(name).map(transform)) {
    const [target, relation, source, mode, written, ...replacements] = line.split(' ') as [
      string,
      ...string[],
    ]
    if (relation === '=') {
      patterns.set(target, source!)
      continue
    }
    const named = written!.replace(/\{([a-z]+)\}/g, (_, other: string) => patterns.get(other)!)
    const columns = replacements.join(' ').split('|').map(textsIn)
    const targets = target.split('|').map((set, i) => [set, columns[i] ?? []] as const)
    rules.push({ targets, source: source!, pattern: new RegExp(named, 'u'), mode: mode! })
  }
  return (given) => {
    const sets = new Map(Object.entries(given).map(([set, texts]) => [set, new Set(texts)]))
    const add = (set: string, text: string) => sets.getOrInsertComputed(set, () => new Set()).add(text)
    for (const { targets, source, pattern, mode } of rules) {
      // The rule may add to its own source.
      const texts = [...(sets.get(source) ?? [])]
      for (const text of texts) {
        const isMatch = pattern.test(text)
        if (isMatch && mode === '!') sets.get(source)!.delete(text)
        for (const [set, replacements] of targets) {
          if (isMatch) for (const replacement of replacements) add(set, text.replace(pattern, replacement))
          else if (mode === '~') add(set, text)
        }
      }
    }
    return Object.fromEntries(sets)
  }
}

function textsIn(column: string): string[] {
  return column
    .split(' ')
    .filter((text) => text !== '')
    .map((text) => (text === '0' ? '' : text))
}

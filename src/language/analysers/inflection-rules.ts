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

/** The fields of "stem < word > en$ 0", or of "name = pattern", where the last is undefined. */
type Fields = [target: string, relation: string, source: string, mode: string, pattern: string, ...string[]]

export interface Rules {
  /** Returns the sets that the rules derive from the given ones. */
  apply(inputSets: WordSets): WordSets
  patterns: ReadonlyMap<string, string>
}

/**
 * Reads rules that derive the forms of a word, such as rules/nl.txt. In "stem < word > en$ 0", each
 * text of the set "word" in which the pattern "en$" is found is changed, and the result is added to
 * the set "stem"; several replacements give several results, and 0 stands for an empty text. With
 * "~" for ">", texts without the pattern are added, too; with "!", texts with it are removed from
 * the set "word", so that no later rule applies to them. Several target sets, and the replacements
 * for each, are separated by "|". "name = pattern" names a pattern, which later patterns contain as
 * "{name}"; in named patterns, a capital letter is also a name. `transform` is applied to each line
 * first.
 */
export function readRules(name: string, transform = (line: string) => line): Rules {
  const patterns = new Map<string, string>()
  const rules: Rule[] = []
  const insert = (text: string, names: RegExp) =>
    text.replace(names, (name) => patterns.get(name.replace(/[{}]/g, '')) ?? name)
  for (const line of readDataLines(name).map(transform)) {
    const [target, relation, source, mode, pattern, ...replacements] = line.split(' ') as Fields
    if (relation === '=') patterns.set(target, insert(source, /\{\w+\}|[A-Z]/g))
    else {
      const columns = replacements.join(' ').split('|').map(textsIn)
      const targets = target.split('|').map((set, i) => [set, columns[i] ?? []] as const)
      rules.push({ targets, source, mode, pattern: new RegExp(insert(pattern, /\{\w+\}/g), 'u') })
    }
  }
  const apply = (inputSets: WordSets) => {
    const sets = new Map(Object.entries(inputSets).map(([set, texts]) => [set, new Set(texts)]))
    const add = (set: string, text: string) => sets.getOrInsertComputed(set, () => new Set()).add(text)
    for (const { targets, source, pattern, mode } of rules) {
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
  return { apply, patterns }
}

function textsIn(column: string): string[] {
  const texts = column.split(' ').filter((text) => text !== '')
  return texts.map((text) => (text === '0' ? '' : text))
}

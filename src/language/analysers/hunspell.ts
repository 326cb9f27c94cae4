import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A rule of an affix file: what to remove from a word, what to add instead, and when. */
interface Rule {
  flag: string
  isPrefix: boolean
  strip: string
  add: string
  /** The flags of rules that apply to the result. */
  flags: readonly string[]
  condition: RegExp
}

/**
 * The prefixes that inflect: negation and superlative of Slavic and Baltic languages, superlative
 * of Hungarian. Others form other words (French l'eau, Spanish infeliz, Dutch aflopen).
 */
const inflecting = new Set(['ne', 'nej', 'nejne', 'naj', 'leg'])

/**
 * Returns the forms of those words that the Hunspell dictionary in a folder contains. A spelling
 * checker tests whether affix rules can derive a form from an entry; this function derives all
 * forms.
 *
 * A word that is not an entry may be derived from a shorter one: Swedish ekonomisk from ekonom. Its
 * forms are then those of the entry that start like the word. For `parts`, which may form
 * compounds, only entries are used. Memory holds the dictionary only during the call.
 */
export function hunspellForms(
  folder: string,
  words: ReadonlySet<string>,
  parts: ReadonlySet<string>,
): Map<string, Set<string>> {
  const formsOf = readAffixes(join(folder, 'index.aff'))
  const entries = readFileSync(join(folder, 'index.dic'), 'utf8')
    .split(/\r?\n/)
    .map((line) => line.split(/[\t ]/, 1)[0]!.split(/(?<=.)\//) as [string, string?])
  const formsByWord = new Map<string, Set<string>>()
  const add = (word: string, forms: readonly string[]) => {
    const known = formsByWord.getOrInsertComputed(word, () => new Set())
    for (const form of forms) known.add(form)
  }
  for (const [word, flags = ''] of entries)
    if (words.has(word) || parts.has(word)) add(word, formsOf(word, flags))
  // A word and the entry that it is derived from start in the same way.
  const beginningOf = (word: string) => word.slice(0, 4)
  const missing = [...words].filter((word) => word.length > 4 && !formsByWord.has(word))
  const byBeginning = Map.groupBy(missing, beginningOf)
  for (const [entry, flags = ''] of entries) {
    const candidates = flags === '' ? undefined : byBeginning.get(beginningOf(entry))
    const forms = candidates ? formsOf(entry, flags) : []
    for (const word of candidates ?? []) {
      if (word.length < entry.length + 2 || !forms.includes(word)) continue
      const candidateForms = forms.filter((form) => form.startsWith(word.slice(0, -1)))
      add(word, candidateForms)
    }
  }
  return formsByWord
}

/** Reads an affix file (`man 5 hunspell`), which defines the forms of an entry by its flags. */
function readAffixes(path: string): (word: string, flags: string) => string[] {
  const lines = readFileSync(path, 'utf8')
    .split(/\r?\n/)
    .map((line) => line.split(/\s+/))
  const settings = new Map(lines.map(([name, value]) => [name, value]))
  /** The flags by number, if they are numbered. The first line has the number of aliases. */
  const aliases = lines.filter(([name]) => name === 'AF').map(([, flags]) => flags)
  const flagsIn = (text: string): readonly string[] => {
    if (aliases.length > 0 && /^\d+$/.test(text)) text = aliases[Number(text)] ?? ''
    const type = settings.get('FLAG')
    if (type === 'long') return text.match(/../g) ?? []
    return type === 'num' ? text.split(',') : [...text]
  }
  const rules = Map.groupBy(readRules(lines, flagsIn), ({ flag }) => flag)
  const rulesOf = (flags: readonly string[]) => flags.flatMap((flag) => rules.get(flag) ?? [])
  /** The forms with one suffix, and with further ones that it allows. */
  const suffixedForms = (word: string, flags: readonly string[], depth: number): string[] =>
    rulesOf(depth === 0 ? [] : flags)
      .filter(({ isPrefix }) => !isPrefix)
      .flatMap((rule) =>
        apply(rule, word).flatMap((form) => [form, ...suffixedForms(form, rule.flags, depth - 1)]),
      )

  return (word, text) => {
    const flags = flagsIn(text)
    if (flags.includes(settings.get('FORBIDDENWORD') ?? '-')) return []
    const forms = [word, ...suffixedForms(word, flags, 2)]
    const prefixes = rulesOf(flags).filter(({ isPrefix }) => isPrefix)
    return [...forms, ...prefixes.flatMap((rule) => forms.flatMap((form) => apply(rule, form)))]
  }
}

/** The rules in the lines of an affix file, such as "SFX V at ám/S [^c]at". */
function readRules(lines: readonly string[][], flagsIn: (text: string) => readonly string[]): Rule[] {
  return lines.flatMap(([name, flag = '', strip = '', addition = '', condition = '']) => {
    const isPrefix = name === 'PFX'
    const [add = '', flags = ''] = addition.split('/')
    // The first line of a group of rules is shorter than a rule.
    if (!(isPrefix ? inflecting.has(add) : name === 'SFX') || condition === '') return []
    const pattern = condition.replaceAll('-', '\\-')
    return {
      flag,
      isPrefix,
      strip: strip === '0' ? '' : strip,
      add: add === '0' ? '' : add,
      flags: flagsIn(flags),
      condition: new RegExp(isPrefix ? `^${pattern}` : `${pattern}$`),
    }
  })
}

function apply({ isPrefix, strip, add, condition }: Rule, word: string): string[] {
  if (!condition.test(word)) return []
  if (isPrefix) return word.startsWith(strip) ? [add + word.slice(strip.length)] : []
  return word.endsWith(strip) ? [word.slice(0, word.length - strip.length) + add] : []
}

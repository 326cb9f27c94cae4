import { readFileSync } from 'node:fs'

/** A rule of an affix file: what is taken off a word, what is put in its place, and when. */
interface Rule {
  isPrefix: boolean
  strip: string
  add: string
  /** The flags of rules that apply to the result. */
  flags: readonly string[]
  condition: RegExp
}

/**
 * The prefixes that inflect: negation and superlative of Slavic and Baltic languages, superlative
 * of Hungarian. Others make other words (French l'eau, Spanish infeliz, Dutch aflopen).
 */
const inflecting = new Set(['ne', 'nej', 'nejne', 'naj', 'leg'])

/**
 * The forms of words by a Hunspell dictionary, of those that it has. A spelling checker asks
 * whether a form can be made of an entry by affix rules; this makes the forms.
 *
 * A word that is no entry may be made of a shorter one: Swedish ekonomisk of ekonom. Its forms are
 * then those of the entry that begin as the word does. For `parts`, of which words may be
 * compounds, only entries count. Memory holds the dictionary only during the call.
 */
export function hunspellForms(
  { affixPath, dictionaryPath }: { affixPath: string; dictionaryPath: string },
  words: ReadonlySet<string>,
  parts: ReadonlySet<string>,
): Map<string, Set<string>> {
  const affixes = new Affixes(affixPath)
  const entries = readFileSync(dictionaryPath, 'utf8')
    .split(/\r?\n/)
    .map((line) => line.split(/[\t ]/, 1)[0]!.split(/(?<=.)\//) as [string, string?])
  const found = new Map<string, Set<string>>()
  const add = (word: string, forms: readonly string[]) => {
    const known = found.getOrInsertComputed(word, () => new Set())
    for (const form of forms) known.add(form)
  }
  for (const [word, flags = ''] of entries)
    if (words.has(word) || parts.has(word)) add(word, affixes.formsOf(word, flags))
  // A word and the entry that it is made of begin in the same way.
  const beginningOf = (word: string) => word.slice(0, 4)
  const missing = [...words].filter((word) => word.length > 4 && !found.has(word))
  const byBeginning = Map.groupBy(missing, beginningOf)
  for (const [entry, flags = ''] of entries) {
    const sought = flags === '' ? undefined : byBeginning.get(beginningOf(entry))
    const forms = sought ? affixes.formsOf(entry, flags) : []
    for (const word of sought ?? []) {
      if (word.length < entry.length + 2 || !forms.includes(word)) continue
      const own = forms.filter((form) => form.startsWith(word.slice(0, -1)))
      add(word, own)
    }
  }
  return found
}

/** The rules of an affix file (`man 5 hunspell`). */
class Affixes {
  readonly #rules = new Map<string, Rule[]>()
  /** What a number stands for, if flags are numbered. */
  readonly #aliases: string[] = []
  readonly #settings = new Map<string, string>()

  constructor(path: string) {
    for (const line of readFileSync(path, 'utf8').split(/\r?\n/)) this.#readSetting(line.split(/\s+/))
  }

  /** The forms of an entry, given its flags. */
  formsOf(word: string, text: string): string[] {
    const flags = this.#flags(text)
    if (flags.includes(this.#settings.get('FORBIDDENWORD') ?? '-')) return []
    const rules = flags.flatMap((flag) => this.#rules.get(flag) ?? [])
    const suffixed = this.#expand(word, rules, 2)
    const prefixes = rules.filter(({ isPrefix }) => isPrefix)
    const prefixed = prefixes.flatMap((rule) => [word, ...suffixed].flatMap((form) => apply(rule, form)))
    return [word, ...suffixed, ...prefixed]
  }

  /** The forms by one suffix, and by further ones that it allows. */
  #expand(word: string, rules: readonly Rule[], depth: number): string[] {
    if (depth === 0) return []
    return rules
      .filter(({ isPrefix }) => !isPrefix)
      .flatMap((rule) =>
        apply(rule, word).flatMap((form) => {
          const further = rule.flags.flatMap((flag) => this.#rules.get(flag) ?? [])
          return [form, ...this.#expand(form, further, depth - 1)]
        }),
      )
  }

  #readSetting([name = '', flag = '', strip = '', add, condition]: readonly string[]): void {
    if (name === 'AF') this.#aliases.push(flag)
    else if (name !== 'SFX' && name !== 'PFX') this.#settings.set(name, flag)
    // The head of a group of rules is shorter than a rule.
    else if (add !== undefined && condition !== undefined && condition !== '')
      this.#addRule(name === 'PFX', flag, strip, add, condition)
  }

  #addRule(isPrefix: boolean, flag: string, strip: string, addition: string, condition: string): void {
    const [add = '', flags = ''] = addition.split('/')
    if (isPrefix && !inflecting.has(add)) return
    const pattern = condition.replaceAll('-', '\\-')
    this.#rules
      .getOrInsertComputed(flag, () => [])
      .push({
        isPrefix,
        strip: strip === '0' ? '' : strip,
        add: add === '0' ? '' : add,
        flags: this.#flags(flags),
        condition: new RegExp(isPrefix ? `^${pattern}` : `${pattern}$`),
      })
  }

  #flags(text: string): readonly string[] {
    // The first AF line has their number.
    if (this.#aliases.length > 0 && /^\d+$/.test(text)) text = this.#aliases[Number(text)] ?? ''
    const type = this.#settings.get('FLAG')
    if (type === 'long') return text.match(/../g) ?? []
    return type === 'num' ? text.split(',') : [...text]
  }
}

function apply({ isPrefix, strip, add, condition }: Rule, word: string): string[] {
  if (!condition.test(word)) return []
  if (isPrefix) return word.startsWith(strip) ? [add + word.slice(strip.length)] : []
  return word.endsWith(strip) ? [word.slice(0, word.length - strip.length) + add] : []
}

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
 * A Hunspell dictionary: words with flags (.dic), and the affix rules of each flag (.aff; see
 * `man 5 hunspell`). A spelling checker asks whether a form can be made of a word; this makes the
 * forms of a word. Only the entries of words that are wanted stay in memory.
 */
export class Hunspell {
  readonly #rules = new Map<string, Rule[]>()
  /** Flags by word, a text for each entry that it has. */
  readonly #entries = new Map<string, string[]>()
  /** What a number stands for, if flags are numbered. */
  readonly #aliases: string[] = []
  readonly #settings = new Map<string, string>()

  constructor(affixPath: string, dictionaryPath: string, isWanted: (word: string) => boolean) {
    for (const line of readFileSync(affixPath, 'utf8').split(/\r?\n/)) this.#readSetting(line.split(/\s+/))
    for (const line of readFileSync(dictionaryPath, 'utf8').split(/\r?\n/)) {
      const [word, flags = ''] = line.split(/[\t ]/, 1)[0]!.split(/(?<=.)\//)
      if (isWanted(word!)) this.#entries.getOrInsertComputed(word!, () => []).push(flags)
    }
  }

  /** The forms of a word; none if the dictionary lacks it. */
  formsOf(word: string): Set<string> {
    return new Set((this.#entries.get(word) ?? []).flatMap((text) => this.#formsOf(word, this.#flags(text))))
  }

  #formsOf(word: string, flags: readonly string[]): string[] {
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

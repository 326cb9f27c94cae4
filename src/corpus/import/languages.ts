import { readDataLines } from '#language/analysers/data-file.ts'

/** Names of two-letter codes; none for a code that is no language (`xx`). */
const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

/** The codes of names and codes that `names` does not know. */
const otherNames = new Map(
  readDataLines('language-names.txt', import.meta.dirname).map((line) => line.split(' ') as [string, string]),
)

const letters = [...'abcdefghijklmnopqrstuvwxyz']
const codes = letters.flatMap((first) => letters.map((second) => first + second))
/** The codes of English names; of several the first. */
const codesByName = new Map(
  codes.toReversed().map((code) => [names.of(code)?.toLowerCase(), Intl.getCanonicalLocales(code)[0]!]),
)

/**
 * The two-letter code of a language tag or an English language name: `en-US`, `pt_BR`, `zh-TW`,
 * `eng`, `Japanese`, `Chinese (Simplified)`, `Brazilian Portuguese` → `en`, `pt`, `zh`, `en`, `ja`,
 * `zh`, `pt`; undefined if it names none.
 */
export function primaryLanguage(tagOrName: string): string | undefined {
  const name = tagOrName
    .toLowerCase()
    .replace(/\(.*\)/, '')
    .trim()
  return (
    codeOfTag(tagOrName.trim()) ??
    otherNames.get(name) ??
    codesByName.get(name) ??
    codesByName.get(name.split(' ').at(-1)!)
  )
}

/** The two-letter code that a language tag begins with; undefined if it is no such tag. */
export function codeOfTag(tag: string): string | undefined {
  const first = /^([a-z]{2,3})(?=[-_]|$)/i.exec(tag)?.[1]?.toLowerCase()
  if (first === undefined) return undefined
  const code = otherNames.get(first) ?? Intl.getCanonicalLocales(first)[0]!
  return code.length === 2 && names.of(code) !== undefined ? code : undefined
}

import { readDataRows } from '#language/analysers/data-file.ts'

/** Names of two-letter codes; undefined for a code that is not a language (`xx`). */
const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

/** The codes for names and codes that `names` does not know. */
const otherNames = new Map(
  readDataRows('language-names.txt', import.meta.dirname).map(([name, code]) => [name, code!]),
)

const letters = [...'abcdefghijklmnopqrstuvwxyz']
const codes = letters.flatMap((first) => letters.map((second) => first + second))
/** The codes for English names; for several, the first. */
const codesByName = new Map(
  codes.toReversed().map((code) => [names.of(code)?.toLowerCase(), Intl.getCanonicalLocales(code)[0]!]),
)

/**
 * Returns the two-letter code of a language tag or an English language name: `en-US`, `pt_BR`,
 * `zh-TW`, `eng`, `Japanese`, `Chinese (Simplified)`, `Brazilian Portuguese` → `en`, `pt`, `zh`,
 * `en`, `ja`, `zh`, `pt`; undefined if it names no language.
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

/** Returns the two-letter code at the start of a language tag; undefined if it is not a tag. */
export function codeOfTag(tag: string): string | undefined {
  const first = /^([a-z]{2,3})(?=[-_]|$)/i.exec(tag)?.[1]?.toLowerCase()
  if (first === undefined) return undefined
  const code = otherNames.get(first) ?? Intl.getCanonicalLocales(first)[0]!
  return code.length === 2 && names.of(code) !== undefined ? code : undefined
}

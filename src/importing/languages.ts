/** Names of two-letter codes; none for a code that is no language (`xx`). */
const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

/**
 * Other names that recognisers and libraries use for languages, and the codes of libraries (ISO
 * 639-2/B) that CLDR does not map.
 */
const otherNames: Record<string, string> = {
  mandarin: 'zh',
  cantonese: 'zh',
  yue: 'zh',
  castilian: 'es',
  flemish: 'nl',
  farsi: 'fa',
  ger: 'de',
  fre: 'fr',
  chi: 'zh',
  cze: 'cs',
  dut: 'nl',
  gre: 'el',
  per: 'fa',
  rum: 'ro',
}

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
export function primaryLanguage(said: string): string | undefined {
  return codeOfTag(said.trim()) ?? codeOfName(said)
}

/** The two-letter code that a language tag begins with; undefined if it is no such tag. */
export function codeOfTag(tag: string): string | undefined {
  const first = /^([a-z]{2,3})(?=[-_]|$)/i.exec(tag)?.[1]?.toLowerCase()
  if (first === undefined) return undefined
  const code = otherNames[first] ?? Intl.getCanonicalLocales(first)[0]!
  return code.length === 2 && names.of(code) !== undefined ? code : undefined
}

function codeOfName(said: string): string | undefined {
  const name = said
    .toLowerCase()
    .replace(/\(.*\)/, '')
    .trim()
  return otherNames[name] ?? codesByName.get(name) ?? codesByName.get(name.split(' ').at(-1)!)
}

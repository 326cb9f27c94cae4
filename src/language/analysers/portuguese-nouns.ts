/**
 * Plural, feminine and feminine plural of a noun or an adjective. Some of them do not exist, which
 * does no harm.
 */
export function nominalForms(word: string): { plurals: string[]; genders: string[] } {
  if (!/^\p{L}{3,}$/u.test(word)) return { plurals: [], genders: [] }
  const feminines = femininesOf(word)
  return { plurals: pluralsOf(word), genders: [...feminines, ...feminines.map((form) => `${form}s`)] }
}

/** Words in -ão have one of three plurals, which does not follow from the spelling. */
function pluralsOf(word: string): string[] {
  const cut = (count: number, ending: string) => word.slice(0, -count) + ending
  if (word.endsWith('ão')) return [cut(2, 'ões'), cut(2, 'ães'), cut(2, 'ãos')]
  if (word.endsWith('ês')) return [cut(2, 'eses')]
  if (/[áeaou]l$/.test(word)) return [lPlural(word)]
  if (word.endsWith('il')) return [cut(2, 'is'), cut(2, 'eis')]
  if (word.endsWith('m')) return [cut(1, 'ns')]
  if (/[rzs]$/.test(word)) return [`${word}es`]
  return /[aeiouáéíóúâêôã]$/.test(word) ? [`${word}s`] : []
}

function lPlural(word: string): string {
  const accents: Record<string, string> = { e: 'é', o: 'ó' }
  const vowel = word.at(-2)!
  const hasAccent = /[áéíóúâêô]/.test(word)
  return `${word.slice(0, -2)}${hasAccent ? vowel : (accents[vowel] ?? vowel)}is`
}

function femininesOf(word: string): string[] {
  const cut = (count: number, ending: string) => word.slice(0, -count) + ending
  if (word.endsWith('ão')) return [cut(2, 'ã'), cut(2, 'ona'), cut(2, 'oa')]
  if (word.endsWith('eu')) return [cut(2, 'eia')]
  if (word.endsWith('ês')) return [cut(2, 'esa')]
  if (word.endsWith('o')) return [cut(1, 'a')]
  return word.endsWith('or') ? [`${word}a`] : []
}

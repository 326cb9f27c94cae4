import { acute, withoutAccents } from './accents.ts'

const vowels = 'aeiouáéíóú'

/**
 * Plural, feminine and feminine plural of a noun or an adjective. Some of them do not exist, which
 * does no harm.
 */
export function nominalForms(word: string): { plurals: string[]; genders: string[] } {
  if (!/^\p{L}{3,}$/u.test(word)) return { plurals: [], genders: [] }
  const plural = pluralOf(word)
  const feminine = feminineOf(word)
  return {
    plurals: plural === null ? [] : [plural],
    genders: feminine === null ? [] : [feminine, `${feminine}s`],
  }
}

function pluralOf(word: string): string | null {
  if (/[aeiouáéó]$/.test(word)) return `${word}s`
  if (word.endsWith('z')) return `${word.slice(0, -1)}ces`
  const accented = /([áéíóú])([ns])$/.exec(word)
  if (accented) return `${word.slice(0, -2)}${withoutAccents(accented[1]!)}${accented[2]}es`
  if (word.endsWith('s')) return null
  // The accent stays where it was heard: joven, jóvenes; examen, exámenes.
  if (/[^áéíóú][aeiou][^aeiou]+en$/.test(word) && !/[áéíóú]/.test(word)) return `${accentLastButOne(word)}es`
  return `${word}es`
}

function feminineOf(word: string): string | null {
  if (word.endsWith('o')) return `${word.slice(0, -1)}a`
  if (word.endsWith('or')) return `${word}a`
  const accented = /([áéíó])([ns])$/.exec(word)
  if (accented && word.length > 4) return `${word.slice(0, -2)}${withoutAccents(accented[1]!)}${accented[2]}a`
  return null
}

/** examen → exámen. */
function accentLastButOne(word: string): string {
  const at = [...word].map((letter, i) => (vowels.includes(letter) ? i : -1)).filter((i) => i >= 0)
  const place = at.at(-2)!
  return `${word.slice(0, place)}${acute(word[place]!)}${word.slice(place + 1)}`
}

/** What some adjectives are before a noun. */
export const shortForms: Readonly<Record<string, string>> = {
  bueno: 'buen',
  grande: 'gran',
  malo: 'mal',
  primero: 'primer',
  tercero: 'tercer',
  alguno: 'algún',
  ninguno: 'ningún',
  santo: 'san',
  cualquiera: 'cualquier',
}

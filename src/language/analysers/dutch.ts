import type { Entry } from './lexicon.ts'

const separable =
  /^(?:aan|achter|af|bij|binnen|door|in|klaar|los|mee|na|neer|om|onder|op|over|plaats|rond|samen|tegen|terug|thuis|toe|uit|vast|voor|voort|vrij|weg)(?=\p{L}{2,}en$)/u

/**
 * The forms of a Dutch word by the rules of regular inflection; irregular verbs are in
 * forms/nl.tsv. A word that ends like an infinitive is taken for a verb as well.
 */
export function dutchForms(headword: string): Entry[] {
  const entries: Entry[] = [{ kind: 'other', forms: [headword, ...nominalForms(headword)] }]
  if (!/\p{L}en$/u.test(headword)) return entries
  const particle = separable.exec(headword)?.[0]
  const whole = { kind: 'verb', forms: verbForms(headword) } as const
  if (particle === undefined) return [...entries, whole]
  const forms = verbForms(headword.slice(particle.length))
  const joined = forms.map((form) => particle + form)
  return [
    ...entries,
    whole,
    { kind: 'verb', forms: [...joined, `${particle}te${headword.slice(particle.length)}`] },
    { kind: 'verb', forms, particle },
  ]
}

/** Plural, inflected adjective, comparative and superlative; what does not exist does no harm. */
function nominalForms(word: string): string[] {
  const plural = word.endsWith('e') ? [`${word}n`] : []
  const open = openSyllables(word).flatMap((stem) => ['e', 'en', 'er', 'ere'].map((ending) => stem + ending))
  return [
    ...plural,
    ...open,
    ...['s', "'s", 'st', 'ste', 'je', 'tje', 'jes', 'tjes'].map((ending) => word + ending),
  ]
}

/**
 * How a stem is spelled before a vowel: groot, grot(e); wit, witt(e); lief, liev(e); boos, boz(e).
 */
function openSyllables(word: string): string[] {
  const single = word.replace(/([aeou])\1(?=[^aeiou]$)/, '$1')
  const voiced = single.replace(/f$/, 'v').replace(/s$/, 'z')
  const isShort = /(?<![aeiou])[aeiou][^aeiouwxj]$/.test(word)
  return [...new Set([single, voiced, ...(isShort ? [word + word.at(-1)!] : [])])]
}

/** Present, past and participles of a weak verb. */
function verbForms(infinitive: string): string[] {
  const forms = [infinitive, `${infinitive}d`, `${infinitive}de`]
  for (const stem of closedSyllables(infinitive.slice(0, -2))) {
    const past = ['te', 'ten', 'de', 'den'].map((ending) => stem + ending)
    const participles = [stem, `${stem}t`, `${stem}d`].flatMap((form) => [form, `${form}e`])
    forms.push(...past, ...participles, ...participles.map((form) => `ge${form}`))
  }
  return forms
}

/** How a stem is spelled without a vowel behind it: mak(en), maak; zett(en), zet; lev(en), leef. */
function closedSyllables(stem: string): string[] {
  const single = stem.replace(/([^aeiou])\1$/, '$1')
  const closed = single.replace(/v$/, 'f').replace(/z$/, 's')
  if (single !== stem) return [closed]
  const long = closed.replace(/(?<![aeiou])([aeou])(?=[^aeiouw]$)/, '$1$1')
  // In wandelen and luisteren the vowel of the last syllable stays short.
  return /[aeiou][^aeiou]+e[lmnr]$/.test(stem) ? [closed, long] : [long]
}

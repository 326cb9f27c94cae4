import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry, Kind } from './lexicon.ts'
import { packageFolder } from './packages.ts'

/** A file of an npm package: an object of the forms of each word, by its dictionary form. */
export interface WordTable {
  packageName: string
  file: string
  kind: Kind
}

type Json = string | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/**
 * The entries of a table for the words that are wanted. However deep a table nests its forms, by
 * case, tense or person, every text in it is a form.
 */
export function* readTable(
  { packageName, file, kind }: WordTable,
  isWanted: (lemma: string) => boolean,
): Generator<Entry & { lemma: string }> {
  const table = JSON.parse(readFileSync(join(packageFolder(packageName)!, file), 'utf8')) as Record<
    string,
    Json
  >
  for (const [lemma, word] of Object.entries(table)) {
    if (!isWanted(lemma)) continue
    const whole = new Set([lemma])
    const apart = new Map<string, Set<string>>()
    for (const text of formsIn(word)) {
      const [form, particle] = text.split(' ') as [string, string?]
      if (particle === undefined) whole.add(form)
      else apart.getOrInsertComputed(particle, () => new Set()).add(form)
    }
    yield { lemma, kind, forms: whole }
    for (const [particle, forms] of apart) yield { lemma, kind, forms, particle }
  }
}

/** Keys of what is not a form: the gender of a noun. */
const gender = 'G'
/** In an object with this key, two forms in a list are a verb and its particle: ["fange", "an"]. */
const separable = 'hasPrefix'
/** But participles are a list of forms there, too. */
const participles = 'PA2'

function* formsIn(word: Json, isSeparable = false): Generator<string> {
  if (typeof word === 'string') yield word
  else if (Array.isArray(word)) {
    if (isSeparable && word.length === 2) yield word.join(' ')
    else for (const form of word) yield* formsIn(form)
  } else if (word !== null && typeof word === 'object') {
    const inside = isSeparable || separable in word
    for (const [key, value] of Object.entries(word))
      if (key !== gender) yield* formsIn(value as Json, inside && key !== participles)
  }
}

import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import type { Forms, Kind } from './lexicon.ts'

/** A file of an npm package: an object of the forms of each word, by its dictionary form. */
export interface WordTable {
  packageName: string
  file: string
  kind: Kind
}

type Json = string | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/**
 * Yields the forms in a table of the given words. However deep a table nests them, by case, tense
 * or person, every text in it is a form.
 */
export function* readTable(
  { packageName, file, kind }: WordTable,
  isWanted: (lemma: string) => boolean,
): Generator<{ lemma: string; forms: Forms }> {
  const path = join(installedPackage(packageName)!.folder, file)
  const table = JSON.parse(readFileSync(path, 'utf8')) as Record<string, Json>
  for (const [lemma, word] of Object.entries(table)) {
    if (!isWanted(lemma)) continue
    const forms = new Set(formsIn(word))
    const apart = [...forms].filter((form) => form.includes('_'))
    yield { lemma, forms: { [kind]: [lemma, ...forms].filter((form) => !form.includes('_')), apart } }
  }
}

/** The key of a value that is not a form: the gender of a noun. */
const gender = 'G'
/** In an object with this key, two forms in a list are a verb and its particle: ["fange", "an"]. */
const separable = 'hasPrefix'
/** The key of participles, which are a list of forms even there. */
const participles = 'PA2'

function* formsIn(word: Json, isSeparable = false): Generator<string> {
  if (typeof word === 'string') yield word
  else if (Array.isArray(word)) {
    if (isSeparable && word.length === 2) yield word.join('_')
    else for (const form of word) yield* formsIn(form)
  } else if (word !== null && typeof word === 'object') {
    const inside = isSeparable || separable in word
    for (const [key, value] of Object.entries(word))
      if (key !== gender) yield* formsIn(value as Json, inside && key !== participles)
  }
}

/** Returns the folder and the version of an installed package; null if it is not installed. */
export function installedPackage(name: string): { folder: string; version: string } | null {
  try {
    const path = findPackageJSON(name, import.meta.url)!
    const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string }
    return { folder: dirname(path), version }
  } catch {
    return null
  }
}

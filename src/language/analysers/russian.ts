import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Analyser } from './analyser.ts'
import { byToken } from './generated-forms.ts'

/** What is used of az, a port of pymorphy2 with the dictionary of OpenCorpora. */
interface Az {
  load(path: string, type: 'json' | 'arraybuffer', done: (error: null, data: unknown) => void): void
  Morph: {
    (word: string): { normalize(): { word: string } }[]
    init(path: string, done: (error: unknown) => void): void
  }
}

const cyrillic = /^[а-яё-]+$/
/** More forms than speech is made of. A full cache is emptied. */
const rememberedTokens = 2 ** 15

/**
 * The Russian analyser: the dictionary form of the most likely parse. Taking every parse would find
 * a little more words, at seven points of precision.
 *
 * @throws the package is not installed
 */
export function openRussian(): Analyser {
  const lemmaOf = openAz()
  const known = new Map<string, string[]>()
  return byToken('ru', (token) => {
    const word = token.toLowerCase()
    if (!cyrillic.test(word)) return []
    let lemmas = known.get(word)
    if (!lemmas) {
      if (known.size === rememberedTokens) known.clear()
      lemmas = lemmasOf(lemmaOf(word))
      known.set(word, lemmas)
    }
    return [lemmas]
  })
}

/** Catalogues often write ё as е. */
function lemmasOf(lemma: string | undefined): string[] {
  if (lemma === undefined) return []
  return lemma.includes('ё') ? [lemma, lemma.replaceAll('ё', 'е')] : [lemma]
}

function readDictionary(path: string, type: 'json' | 'arraybuffer'): unknown {
  const bytes = readFileSync(path)
  return type === 'json' ? JSON.parse(bytes.toString()) : new Uint8Array(bytes).buffer
}

function openAz(): (word: string) => string | undefined {
  const require = createRequire(import.meta.url)
  const az = require('az') as Az
  // az reads its files asynchronously, but a build worker needs them now. az counts the files that
  // it has asked for, so they are handed over only after it has asked for all of them.
  const loads: (() => void)[] = []
  az.load = (path, type, done) => loads.push(() => done(null, readDictionary(path, type)))
  az.Morph.init(join(dirname(require.resolve('az/package.json')), 'dicts'), () => {})
  for (const load of loads) load()
  return (word) => az.Morph(word)[0]?.normalize().word
}

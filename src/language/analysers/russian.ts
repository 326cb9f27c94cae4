import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Analyser } from './analyser.ts'
import { byToken } from './generated-forms.ts'

/** What this project uses of az, a port of pymorphy2 with the dictionary of OpenCorpora. */
interface Az {
  load(path: string, type: 'json' | 'arraybuffer', done: (error: null, data: unknown) => void): void
  Morph: {
    (word: string): { normalize(): { word: string } }[]
    init(path: string, done: (error: unknown) => void): void
  }
}

const cyrillic = /^[а-яё-]+$/
/** Speech is made of fewer forms; they are forgotten all at once. */
const rememberedTokens = 2 ** 15

/**
 * The Russian analyser: the dictionary form of the likeliest parse. To take every parse finds a
 * little more and costs seven points of precision.
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

/** ё is often written е, in catalogues too. */
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
  // Az reads its files asynchronously; a build worker has to answer at once. Az counts what it has
  // asked for, so that nothing is given before it has asked for all.
  const loads: (() => void)[] = []
  az.load = (path, type, done) => loads.push(() => done(null, readDictionary(path, type)))
  az.Morph.init(join(dirname(require.resolve('az/package.json')), 'dicts'), () => {})
  for (const load of loads) load()
  return (word) => az.Morph(word)[0]?.normalize().word
}

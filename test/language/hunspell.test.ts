import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hunspellForms } from '#language/analysers/hunspell.ts'
import { analyserInfo, inflections } from '#language/analysers/open-analyser.ts'
import { caseKey } from '#language/lower-case.ts'

function vocabularyOf(headwords: string[], language: string) {
  const keys = new Set(headwords.map((word) => caseKey(word, language)))
  return { headwords, has: (text: string) => keys.has(caseKey(text, language)) }
}

test('the forms of a headword are those that the lexicon has, without particles that stand apart', () => {
  const forms = inflections('de', vocabularyOf(['anfangen'], 'de')).get('anfangen')
  expect(forms).toContain('angefangen')
  expect(forms).not.toContain('fängt')
})

test('a language whose Hunspell dictionary is not installed says what installs it', () => {
  expect(analyserInfo('fo')).toEqual({
    version: null,
    isKept: false,
    installCommand: 'npm install --save-exact dictionary-fo',
  })
})

/** The forms that a Hunspell dictionary makes of a word. */
function formsOf(word: string, affixes: string, dictionary: string): string[] {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'hunspell-'))
  const [aff, dic] = [join(folder.path, 'index.aff'), join(folder.path, 'index.dic')]
  writeFileSync(aff, affixes)
  writeFileSync(dic, dictionary)
  const paths = { affixPath: aff, dictionaryPath: dic }
  return [...(hunspellForms(paths, new Set([word]), new Set()).get(word) ?? [])]
}

test('Hunspell: suffixes whose condition holds, further suffixes, and prefixes that inflect', () => {
  const affixes = `SET UTF-8
PFX N Y 1
PFX N 0 ne .
PFX M Y 1
PFX M 0 pře .
SFX V Y 2
SFX V at ám/S [^c]at
SFX V at ím cat
SFX S Y 1
SFX S 0 s m`
  expect(formsOf('dělat', affixes, '1\ndělat/VNM\n')).toEqual([
    'dělat',
    'dělám',
    'děláms',
    'nedělat',
    'nedělám',
    'neděláms',
  ])
})

test.each([
  ['long', 'house/AaBb', 'SFX Aa Y 1\nSFX Aa 0 s .'],
  ['num', 'house/101,7', 'SFX 101 Y 1\nSFX 101 0 s .'],
])('Hunspell: %s flags', (type, entry, rule) => {
  expect(formsOf('house', `FLAG ${type}\n${rule}`, `1\n${entry}\n`)).toEqual(['house', 'houses'])
})

test('Hunspell: numbered sets of flags, and entries that are misspelled', () => {
  const affixes = 'FORBIDDENWORD X\nAF 2\nAF A\nAF X\nSFX A Y 1\nSFX A 0 s .'
  expect(formsOf('house', affixes, '2\nhouse/1\n')).toEqual(['house', 'houses'])
  expect(formsOf('hause', affixes, '2\nhause/2\n')).toEqual([])
})

test('Hunspell: a word that is made of a shorter entry has the forms that begin as it does', () => {
  const affixes = 'SFX A Y 1\nSFX A 0 isk/B .\nSFX B Y 1\nSFX B 0 a .'
  expect(formsOf('ekonomisk', affixes, '1\nekonom/A\n')).toEqual(['ekonomisk', 'ekonomiska'])
})

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

test('returns the forms that the lexicon lists for a headword, without separate particles', () => {
  const forms = inflections('de', vocabularyOf(['anfangen'], 'de')).get('anfangen')
  expect(forms).toContain('angefangen')
  expect(forms).not.toContain('fängt')
})

test('a language whose Hunspell dictionary is missing says how to install it', () => {
  const expected = { version: null, isKept: false, installCommand: 'npm install --save-exact dictionary-fo' }
  expect(analyserInfo('fo')).toEqual(expected)
})

/** Returns the forms that a Hunspell dictionary derives from a word. */
function formsOf(word: string, affixes: string, dictionary: string): string[] {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'hunspell-'))
  writeFileSync(join(folder.path, 'index.aff'), affixes)
  writeFileSync(join(folder.path, 'index.dic'), dictionary)
  return [...(hunspellForms(folder.path, new Set([word]), new Set()).get(word) ?? [])]
}

const czech = `SET UTF-8
PFX N Y 1
PFX N 0 ne .
PFX M Y 1
PFX M 0 pře .
SFX V Y 2
SFX V at ám/S [^c]at
SFX V at ím cat
SFX S Y 1
SFX S 0 s m`
const numbered = 'FORBIDDENWORD X\nAF 2\nAF A\nAF X\nSFX A Y 1\nSFX A 0 s .'

const nested = 'SFX A Y 1\nSFX A 0 isk/B .\nSFX B Y 1\nSFX B 0 a .'

test.each([
  [
    'suffixes whose condition holds, and prefixes that inflect',
    [czech, 'dělat/VNM'],
    'dělat dělám děláms nedělat nedělám neděláms',
  ],
  ['long flags', ['FLAG long\nSFX Aa Y 1\nSFX Aa 0 s .', 'house/AaBb'], 'house houses'],
  ['numbers as flags', ['FLAG num\nSFX 101 Y 1\nSFX 101 0 s .', 'house/101,7'], 'house houses'],
  ['numbered sets of flags', [numbered, 'house/1'], 'house houses'],
  ['entries that are misspelled', [numbered, 'house/2'], ''],
  [
    'a word has the forms of a shorter entry that begin with it',
    [nested, 'ekonom/A'],
    'ekonomisk ekonomiska',
  ],
])('Hunspell: %s', (_, [affixes, entry], forms) => {
  const [word] = forms.split(' ')
  expect(formsOf(word || 'house', affixes!, `1\n${entry}\n`).join(' ')).toBe(forms)
})

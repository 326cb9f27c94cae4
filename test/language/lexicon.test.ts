import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TokenAnalyser } from '#language/analysers/analyser.ts'
import { hunspellForms } from '#language/analysers/hunspell.ts'
import { analyserInfo, inflections, openAnalyser } from '#language/analysers/open-analyser.ts'
import { caseKey } from '#language/lower-case.ts'
import { segment } from '#language/segment.ts'

function vocabularyOf(headwords: string[], language: string) {
  const keys = new Set(headwords.map((word) => caseKey(word, language)))
  return { headwords, has: (text: string) => keys.has(caseKey(text, language)) }
}

/** The words of a text that are forms of headwords, as `token→headword`. */
function found(language: string, headwords: string, text: string): string {
  const vocabulary = vocabularyOf(headwords.split(' '), language)
  const analyser = openAnalyser(language, vocabulary) as TokenAnalyser
  const tokens = segment(text, language)
  const words = analyser.wordsOf(tokens, text)
  return tokens
    .flatMap((token, i) =>
      (words[i] ?? [])
        .flatMap(({ lemmas }) => lemmas.find((lemma) => vocabulary.has(lemma)) ?? [])
        .map((lemma) => `${token.text}→${lemma}`),
    )
    .join(' ')
}

test('German: forms of nouns, verbs and adjectives, with and without ß', () => {
  expect(found('de', 'Haus gehen gut alt dunkel groß lassen', 'Häuser ging bessere älter dunkle')).toBe(
    'Häuser→Haus ging→gehen bessere→gut älter→alt dunkle→dunkel',
  )
  expect(found('de', 'groß lassen', 'grosse größte lässt läßt')).toBe(
    'grosse→groß größte→groß lässt→lassen läßt→lassen',
  )
})

test('German: a word that the lexicon lacks is inflected as its last part is', () => {
  expect(found('de', 'Arbeitsplatz antun', 'die Arbeitsplätze, was er mir angetan')).toBe(
    'Arbeitsplätze→Arbeitsplatz angetan→antun',
  )
})

test('German: nouns have a capital letter, other words only where a sentence begins', () => {
  expect(found('de', 'Frage fragen', 'Fragen wir viele Fragen, fragen wir')).toBe(
    'Fragen→fragen Fragen→Frage fragen→fragen',
  )
})

test('German: a verb takes its particle from the end of the clause', () => {
  const verbs = 'anfangen fangen ankommen kommen einladen laden an'
  expect(found('de', verbs, 'Der Film fängt gleich an.')).toBe('fängt→anfangen an→an')
  expect(found('de', verbs, 'Sie lädt uns ein, weil sie anfing')).toBe('lädt→einladen anfing→anfangen')
  expect(found('de', verbs, 'Er kommt an einem Montag.')).toBe('kommt→kommen an→an')
  expect(found('de', verbs, 'Er kommt an und fängt den Ball')).toBe('kommt→ankommen an→an fängt→fangen')
})

test('French: forms of verbs, nouns and adjectives', () => {
  expect(found('fr', 'être œil beau cheval aller', "ils sont allés, de beaux yeux, l'œil, des chevaux")).toBe(
    'sont→être allés→aller beaux→beau yeux→œil œil→œil chevaux→cheval',
  )
})

test('French: behind a determiner a word is a noun, behind a pronoun a verb', () => {
  const words = 'porte porter livre livrer'
  expect(found('fr', words, 'Il porte la porte, je les porte. Les livres qu’il livre')).toBe(
    'porte→porter porte→porte porte→porter livres→livre livre→livrer',
  )
})

test('French: a verb with pronouns behind it, and elided words', () => {
  expect(found('fr', 'donner avoir être que ce', "Donne-moi ça. Y a-t-il ? Qu'est-ce que c'est ?")).toBe(
    "Donne-moi→donner a-t-il→avoir Qu'→que est-ce→être que→que c'→ce est→être",
  )
})

test('Italian: forms, contracted prepositions, and pronouns behind a verb', () => {
  expect(found('it', 'di acqua amico bello essere', "le belle acque dell'amica sono")).toBe(
    "belle→bello acque→acqua dell'→di amica→amico sono→essere",
  )
  expect(found('it', 'vedere dire fare dare porre', 'vederlo dimmelo dicendoti facendola Dammi porlo')).toBe(
    'vederlo→vedere dimmelo→dire dicendoti→dire facendola→fare Dammi→dare porlo→porre',
  )
  expect(found('it', 'parte partire', 'Una parte non parte.')).toBe('parte→parte parte→partire')
})

test('Dutch: regular inflection by rules, irregular verbs, and particles that stand apart', () => {
  expect(
    found('nl', 'maken leven zetten wandelen groot lief', 'maakte leeft gezet wandelde grote lieve'),
  ).toBe('maakte→maken leeft→leven gezet→zetten wandelde→wandelen grote→groot lieve→lief')
  expect(found('nl', 'aankomen komen opnemen', 'Hij kwam laat aan. Het is opgenomen. Hij komt.')).toBe(
    'kwam→aankomen opgenomen→opnemen komt→komen',
  )
})

test('Swedish, Polish and Czech: by their Hunspell dictionaries, and what these list apart', () => {
  expect(found('sv', 'bil tala man ekonomisk gå', 'bilarna talade männen ekonomiska gick')).toBe(
    'bilarna→bil talade→tala männen→man ekonomiska→ekonomisk gick→gå',
  )
  expect(
    found('pl', 'robić dobry człowiek trzymać zadać zadanie', 'robię lepszy ludzi trzymając zadania'),
  ).toBe('robię→robić lepszy→dobry ludzi→człowiek trzymając→trzymać zadania→zadanie')
  expect(found('cs', 'dělat žena', 'nedělala ženou')).toBe('nedělala→dělat ženou→žena')
})

test('Korean: particles behind nouns, after vowels and consonants', () => {
  expect(found('ko', '학교 친구 책 사람 것', '학교에서는 친구들이 책을 사람은 게')).toBe(
    '학교에서는→학교 친구들이→친구 책을→책 사람은→사람 게→것',
  )
  expect(found('ko', '책 친구', '책를 친구을')).toBe('')
})

test('Korean: endings of regular and irregular verbs', () => {
  const verbs = '가다 먹다 하다 공부하다 듣다 돕다 가깝다 짓다 모르다 쓰다 살다 그렇다 마시다 오다 되다'
  expect(found('ko', verbs, '갑니다 먹었어요 했는데 공부해서 들어요 도와주세요 가까운 지었다')).toBe(
    '갑니다→가다 먹었어요→먹다 했는데→하다 공부해서→공부하다 들어요→듣다 도와주세요→돕다 가까운→가깝다 지었다→짓다',
  )
  expect(found('ko', verbs, '몰라요 썼어 사는 그래서 그런데 마셨다 왔습니다 됐어요 가는')).toBe(
    '몰라요→모르다 썼어→쓰다 사는→살다 그래서→그렇다 그런데→그렇다 마셨다→마시다 왔습니다→오다 됐어요→되다 가는→가다',
  )
})

test('Korean: the longest stem counts, and a verb rather than a noun of one syllable', () => {
  expect(found('ko', '가 가다 나 나다 수 수도', '가는 나는 수도는')).toBe('가는→가다 나는→나 수도는→수도')
})

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

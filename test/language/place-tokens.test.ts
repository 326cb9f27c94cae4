import { expect, test } from 'vitest'
import { caseKey } from '#language/lower-case.ts'
import { placeRun, placeTokens } from '#language/place-tokens.ts'

/** Returns the text with each shown token in brackets. */
function marked(text: string, tokens: string, language: string): string {
  const keys = tokens.split('|').map((token) => caseKey(token, language))
  const places = placeTokens(text, keys, language).filter((place) => place !== null)
  return places.reduceRight(
    (rest, { start, end }) => `${rest.slice(0, start)}[${rest.slice(start, end)}]${rest.slice(end)}`,
    text,
  )
}

test.each([
  ['en', 'The party art is art', 'The|art|is|art', '[The] party [art] [is] [art]'],
  ['en', 'A well-known fact is known', 'known', 'A well-known fact is [known]'],
  ['en', 'Well-known, known -known- known', 'known|known|known', 'Well-known, [known] -[known]- [known]'],
  ['en', 'In 2015 I was 15', '15', 'In 2015 I was [15]'],
  ['en', 'Don’t stop', "don't|stop", '[Don’t] [stop]'],
  ['en', 'naïvely naïve', 'naïve', 'naïvely [naïve]'],
  ['en', 'cafe\u0301 caf', 'caf', 'cafe\u0301 [caf]'],
  ['fr', 'L’homme l’a dit', "l'|homme|l'|a", '[L’][homme] [l’][a] dit'],
  ['it', 'Tutta dell’arte è arte', 'arte', 'Tutta dell’[arte] è arte'],
  ['tr', 'ISI ısıtır ısı', 'ısı|ısı', '[ISI] ısıtır [ısı]'],
  ['de', 'Straßenbahn auf der Straße', 'Straße', 'Straßenbahn auf der [Straße]'],
  ['ja', '日本語を話す', '日本|語|話す', '[日本][語]を[話す]'],
  ['th', 'ฉันกินข้าว', 'กิน|ข้าว', 'ฉัน[กิน][ข้าว]'],
  ['ko', '학교에 학교 갔다', '학교', '학교에 [학교] 갔다'],
  ['en', '𝔸rt 𝒜 art', 'art', '𝔸rt 𝒜 [art]'],
])('in %s, %j shows %j as %j', (language, text, tokens, expected) => {
  expect(marked(text, tokens, language)).toBe(expected)
})

test('a token that the text does not show lies between its neighbours', () => {
  const places = placeTokens('The party is on', ['the', 'art', 'is'], 'en')
  expect(placeRun(places, 1, 2, 15)).toEqual({ start: 3, end: 10 })
  expect(placeRun([null], 0, 1, 15)).toEqual({ start: 0, end: 15 })
})

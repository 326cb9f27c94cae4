import { expect, test } from 'vitest'
import { languageOfName, primaryLanguage, sidecarNames } from '#importing/file-names.ts'

test('a sidecar has the name without extension, or without the language tag too', () => {
  expect(sidecarNames('abc.vtt')).toEqual(['abc.info.json', 'abc.json', 'abc.meta.json'])
  expect(sidecarNames('abc.en.vtt')).toEqual([
    'abc.en.info.json',
    'abc.info.json',
    'abc.en.json',
    'abc.en.meta.json',
    'abc.json',
    'abc.meta.json',
  ])
})

test('word timings are not their own sidecar', () => {
  expect(sidecarNames('abc.json')).toEqual(['abc.info.json', 'abc.meta.json'])
})

test.each([
  ['abc.en.vtt', 'en'],
  ['abc.pt-BR.vtt', 'pt'],
  ['abc.zh-Hans.srt', 'zh'],
  ['a title [x].en-orig.vtt', 'en'],
  ['abc.vtt', undefined],
  ['en.vtt', undefined],
  ['abc.xx.vtt', undefined],
  ['lesson.one.srt', undefined],
  ['talk.first50s.vtt', undefined],
])('the name %s gives the language %s', (name, language) => {
  expect(languageOfName(name)).toBe(language)
})

test('a language tag begins with a two-letter code', () => {
  expect(['en', 'en-US', 'PT_br', 'English', 'und', ''].map(primaryLanguage)).toEqual([
    'en',
    'en',
    'pt',
    undefined,
    undefined,
    undefined,
  ])
})

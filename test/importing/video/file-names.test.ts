import { expect, test } from 'vitest'
import { languageOfName, sidecarNames, silentTrackOfName } from '#importing/video/file-names.ts'

test('a sidecar has the name without extension, or without the language tag too', () => {
  expect(sidecarNames('abc.vtt')).toEqual([
    'abc.info.json',
    'abc.json',
    'abc.meta.json',
    'abc.player.json',
    'abc.innertube.json',
  ])
  expect(sidecarNames('abc.en.vtt')).toEqual([
    'abc.en.info.json',
    'abc.info.json',
    'abc.en.json',
    'abc.en.meta.json',
    'abc.json',
    'abc.meta.json',
    'abc.en.player.json',
    'abc.en.innertube.json',
    'abc.player.json',
    'abc.innertube.json',
  ])
})

test('word timings are not their own sidecar', () => {
  expect(sidecarNames('abc.json')).not.toContain('abc.json')
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

test('tracks that are no speech are recognised by their names', () => {
  expect(
    ['abc.chapters.vtt', 'descriptions.en.vtt', 'abc.live_chat.json', 'abc.vtt'].map(silentTrackOfName),
  ).toEqual(['chapters', 'descriptions', 'live_chat', undefined])
})

import { expect, test } from 'vitest'
import { languageOfName, sidecarNames, silentTrackOfName } from '#importing/video/file-names.ts'

test('a sidecar has the name without extension, or without the language tag too', () => {
  const endings = (name: string, base: string) => sidecarNames(name).map((each) => each.replace(base, ''))
  const own = ['.info.json', '.json', '.meta.json', '.player.json', '.innertube.json']
  expect(endings('abc.vtt', 'abc')).toEqual(own)
  expect(endings('abc.en.vtt', 'abc').join(' ')).toBe(
    '.en.info.json .info.json .en.json .en.meta.json .json .meta.json ' +
      '.en.player.json .en.innertube.json .player.json .innertube.json',
  )
  // Word timings are not their own sidecar.
  expect(endings('abc.json', 'abc')).toEqual(own.filter((ending) => ending !== '.json'))
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
  const names = ['abc.chapters.vtt', 'descriptions.en.vtt', 'abc.live_chat.json', 'abc.vtt']
  expect(names.map(silentTrackOfName)).toEqual(['chapters', 'descriptions', 'live_chat', undefined])
})

import { expect, test } from 'vitest'
import {
  compileNamePattern,
  languageOfName,
  metadataOfName,
  sidecarsOf,
  silentTrackOfName,
} from '#corpus/import/video/file-names.ts'

test('a sidecar has the same name without the extension, or also without the language tag', () => {
  const endings = (name: string, base: string) => sidecarsOf(name).map((each) => each.replace(base, ''))
  const own = ['.info.json', '.json', '.meta.json', '.player.json', '.innertube.json']
  expect(endings('abc.vtt', 'abc')).toEqual(own)
  expect(endings('abc.en.vtt', 'abc').join(' ')).toBe(
    '.en.info.json .info.json .en.json .en.meta.json .json .meta.json ' +
      '.en.player.json .en.innertube.json .player.json .innertube.json',
  )
  expect(sidecarsOf('abc.en.sdh.srt')[1]).toBe('abc.info.json')
  expect(sidecarsOf('/talks.en/abc.srt')[0]).toBe('/talks.en/abc.info.json')
  // Word timings are not their own sidecar.
  expect(endings('abc.json', 'abc')).toEqual(own.filter((ending) => ending !== '.json'))
})

test.each([
  ['abc.en.vtt', 'en'],
  ['abc.pt-BR.vtt', 'pt'],
  ['abc.zh-Hans.srt', 'zh'],
  ['a title [x].en-orig.vtt', 'en'],
  ['abc.en.hi.srt', 'en'],
  ['abc.hi.srt', 'hi'],
  ['abc.es.sdh.srt', 'es'],
  ['abc.pt-BR[cc].srt', 'pt'],
  ['abc.vtt', undefined],
  ['en.vtt', undefined],
  ['abc.xx.vtt', undefined],
  ['lesson.one.srt', undefined],
  ['talk.first50s.vtt', undefined],
])('the name %s gives the language %s', (name, language) => expect(languageOfName(name)).toBe(language))

test('recognises tracks without speech by their names', () => {
  const names = ['abc.chapters.vtt', 'descriptions.en.vtt', 'abc.live_chat.json', 'abc.vtt']
  expect(names.map(silentTrackOfName)).toEqual(['chapters', 'descriptions', 'live_chat', undefined])
})

test.each([
  ['A title [dQw4w9WgXcQ].en.vtt', { videoId: 'dQw4w9WgXcQ', title: 'A title' }],
  ['A title-dQw4w9WgXcQ.srt', { videoId: 'dQw4w9WgXcQ', title: 'A title' }],
  ['00001_A title_dQw4w9WgXcQ.srt', { videoId: 'dQw4w9WgXcQ', title: '00001_A title' }],
  ['dQw4w9WgXcQ.en.vtt', { videoId: 'dQw4w9WgXcQ' }],
  ['-Qw4w9WgXcQ.pt-BR.srt', { videoId: '-Qw4w9WgXcQ' }],
  ['A title [-_w4w9WgXcQ].srt', { videoId: '-_w4w9WgXcQ', title: 'A title' }],
  ['A title [abcdefghijZ].srt', { videoId: 'abcdefghijZ', title: 'A title' }],
  ['A title-abcdefghijZ.srt', {}],
  ['programming.srt', {}],
  ['A title about programming.srt', {}],
  ['A title [not an id].srt', {}],
  ['captions.srt', {}],
])('the name %s gives %j', (name, metadata) => expect(metadataOfName(name)).toEqual(metadata))

test('a pattern says what the parts of a name are', () => {
  const pattern = compileNamePattern('{channel} - {title} ({level}) [{videoId}]')
  const expected = { channelName: 'Kitchen Table', title: 'Rolls, warm - again', level: 'A2', videoId: '-x' }
  expect(metadataOfName('Kitchen Table - Rolls, warm - again (A2) [-x].en.vtt', pattern)).toEqual(expected)
  expect(metadataOfName('Something else.vtt', pattern)).toEqual({})
  expect(metadataOfName('12.abc.de.vtt', compileNamePattern('{*}.{videoId}.{language}'))).toEqual({
    videoId: 'abc',
    language: 'de',
  })
})

test.each([
  ['{title', 'it must contain at least one field'],
  ['abc', 'it must contain at least one field'],
  ['{name}', '{name} is not a field. The fields are {videoId}, {title}'],
  ['{title}{title}', '{title} appears twice'],
])('the pattern %j is refused', (pattern, reason) => {
  expect(() => compileNamePattern(pattern)).toThrow(reason)
})

import { expect, test } from 'vitest'
import { compileNamePattern, metadataOfName } from '#importing/video/name-metadata.ts'

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
])('the name %s tells %j', (name, metadata) => {
  expect(metadataOfName(name)).toEqual(metadata)
})

test('a pattern tells what the parts of a name are', () => {
  const pattern = compileNamePattern('{channel} - {title} ({level}) [{videoId}]')
  expect(metadataOfName('Kitchen Table - Rolls, warm - again (A2) [-x].en.vtt', pattern)).toEqual({
    channelName: 'Kitchen Table',
    title: 'Rolls, warm - again',
    level: 'A2',
    videoId: '-x',
  })
  expect(metadataOfName('Something else.vtt', pattern)).toEqual({})
  expect(metadataOfName('12.abc.de.vtt', compileNamePattern('{*}.{videoId}.{language}'))).toEqual({
    videoId: 'abc',
    language: 'de',
  })
})

test.each([
  ['{title', 'it names no field'],
  ['abc', 'it names no field'],
  ['{name}', '{name} is none of {videoId}, {title}'],
  ['{title}{title}', '{title} appears twice'],
])('the pattern %j is refused', (pattern, reason) => {
  expect(() => compileNamePattern(pattern)).toThrow(reason)
})

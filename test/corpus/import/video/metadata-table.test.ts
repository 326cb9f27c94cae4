import { expect, test } from 'vitest'
import { indexDescriptions, parseMetadataTable, videoIdOfUrl } from '#corpus/import/video/metadata-table.ts'

const tableOf = (...lines: string[]) => indexDescriptions(parseMetadataTable(lines.join('\n')))

test('matches rows by file, by the longest match of its path, and by video id', () => {
  const table = tableOf(
    'id,title,Channel Name,level,duration,srt_filename',
    '-abc,"One, two",C,A1,1:05,subs/en/01.srt',
    'def,Three,C,B2,61.2,subs/fr/01.srt',
    'ghi,Four,,,,',
  )
  expect(table.ofFile('/x/subs/fr/01.vtt')).toMatchObject({ videoId: 'def', durationS: 62 })
  const expected = { videoId: '-abc', title: 'One, two', channelName: 'C', level: 'A1', durationS: 65 }
  expect(table.ofFile('/x/subs/en/01.srt')).toMatchObject(expected)
  expect(table.ofFile('/x/02.srt')).toEqual({})
  expect(table.ofVideo('ghi')).toEqual({ videoId: 'ghi', title: 'Four' })
})

test.each([';', '\t'])('separates cells by %j', (delimiter) => {
  const table = tableOf(['Video ID', 'Title'].join(delimiter), ['abc', 'a, b'].join(delimiter))
  expect(table.ofVideo('abc')).toEqual({ videoId: 'abc', title: 'a, b' })
})

test('reads the id from a video’s address', () => {
  const table = tableOf('url,title', 'https://www.youtube.com/watch?v=-bcdefghijk&list=x,T')
  expect(table.ofVideo('-bcdefghijk').title).toBe('T')
  expect(videoIdOfUrl('https://youtu.be/_bcdefghijk?t=1')).toBe('_bcdefghijk')
  expect(videoIdOfUrl('https://example.org/watch')).toBeUndefined()
})

test.each([['a,b\n1,2'], ['id,title'], [''], ['id,title\n"a,b']])('%j is refused', (text) => {
  expect(() => parseMetadataTable(text)).toThrow(/names no video and no file|is not a CSV/)
})

test('a row that is longer than the header is refused with its line', () => {
  const reason = 'has more cells on line 3 than in the header'
  expect(() => parseMetadataTable('id,title\nabc,One\ndef,Two, Three\n')).toThrow(reason)
})

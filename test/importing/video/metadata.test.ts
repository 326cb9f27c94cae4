import { expect, test } from 'vitest'
import { completeChannel, mergeMetadata, parseInfo, parseMetadata } from '#importing/video/metadata.ts'

test('yt-dlp: the channel goes before the uploader, and a duration is rounded up', () => {
  const info = {
    id: 'v',
    title: 'T',
    channel: 'C',
    uploader: 'U',
    channel_id: 'UC',
    uploader_id: '@u',
    duration: 9.2,
    language: 'en',
  }
  expect(parseInfo(info)).toEqual({
    videoId: 'v',
    title: 'T',
    channelId: 'UC',
    channelName: 'C',
    durationS: 10,
    language: 'en',
  })
  expect(parseInfo({ uploader: 'U', uploader_id: '@u', channel: null, duration: null })).toEqual({
    channelId: '@u',
    channelName: 'U',
  })
})

test('plain: the channel is an object, or a name with a channelId', () => {
  expect(parseMetadata({ videoId: 'v', channel: { id: 'c', name: 'C' }, level: 'A1', durationS: 9 })).toEqual(
    {
      videoId: 'v',
      channelId: 'c',
      channelName: 'C',
      level: 'A1',
      durationS: 9,
    },
  )
  expect(parseMetadata({ channel: 'C', channelId: 'c' })).toEqual({ channelId: 'c', channelName: 'C' })
})

test('nothing, null and blanks are not given', () => {
  expect(parseMetadata({ videoId: '', title: ' ', level: null })).toEqual({})
})

test.each([
  [[1], 'wanted a JSON object'],
  [{ title: {} }, 'title: must be a string'],
  [{ channel: 5 }, 'channel: must be {"id", "name"} or a string'],
  [{ durationS: '9' }, 'durationS: must be a number of seconds'],
])('%j is refused', (json, reason) => {
  expect(() => parseMetadata(json)).toThrow(reason)
})

test('merging takes each field from the best source that has it', () => {
  expect(
    mergeMetadata([
      { title: 'flag', videoId: undefined },
      { title: 'info', videoId: 'v' },
      { videoId: 'plain', level: 'A1' },
    ]),
  ).toEqual({
    title: 'flag',
    videoId: 'v',
    level: 'A1',
  })
})

test('a YouTube player answer: what it refuses to describe gives nothing', () => {
  const videoDetails = { videoId: 'v', title: 'T', lengthSeconds: '61', channelId: 'UC', author: 'C' }
  expect(parseMetadata({ playabilityStatus: { status: 'OK' }, videoDetails })).toEqual({
    videoId: 'v',
    title: 'T',
    channelId: 'UC',
    channelName: 'C',
    durationS: 61,
  })
  expect(parseMetadata({ playabilityStatus: { status: 'LOGIN_REQUIRED' } })).toEqual({})
})

test('a description is recognised by its fields', () => {
  expect(parseMetadata({ id: 'v', uploader: 'U' })).toEqual({ videoId: 'v', channelName: 'U' })
  expect(parseMetadata({ videoId: 'v', channel: 'C' })).toEqual({ videoId: 'v', channelName: 'C' })
})

test('a channel known by its name or its id alone goes by that in both', () => {
  expect(completeChannel({ channelName: 'C' })).toEqual({ channelId: 'C', channelName: 'C' })
  expect(completeChannel({ channelId: 'c' })).toEqual({ channelId: 'c', channelName: 'c' })
  expect(completeChannel({ title: 'T' })).toEqual({ title: 'T' })
})

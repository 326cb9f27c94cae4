import { expect, test } from 'vitest'
import { mergeMetadata, parseMetadata } from '#corpus/import/video/metadata.ts'

const channels = { channel: 'C', channel_id: 'UC', uploader: 'U', uploader_id: '@u' }
const videoDetails = { videoId: 'v', title: 'T', lengthSeconds: '61', channelId: 'UC', author: 'C' }
const player = { videoId: 'v', title: 'T', channelId: 'UC', channelName: 'C', durationS: 61 }

const ofChannel = { videoId: 'v', channelId: 'c', channelName: 'C' }

test.each([
  // yt-dlp: the channel takes precedence over the uploader, and a duration is rounded up.
  [
    { id: 'v', title: 'T', ...channels, duration: 9.2 },
    { ...player, durationS: 10 },
  ],
  [
    { ...channels, language: 'en', channel: null, channel_id: null, duration: null },
    { channelId: '@u', channelName: 'U', language: 'en' },
  ],
  // Plain: the channel is an object, or a name with a channelId.
  [
    { videoId: 'v', channel: { id: 'c', name: 'C' }, level: 'A1', durationS: 9 },
    { ...ofChannel, level: 'A1', durationS: 9 },
  ],
  [{ videoId: 'v', channel: 'C', channelId: 'c' }, ofChannel],
  [{ videoId: '', title: ' ', level: null }, {}],
  // A YouTube player response that describes no video gives nothing.
  [{ playabilityStatus: { status: 'OK' }, videoDetails }, player],
  [{ playabilityStatus: { status: 'LOGIN_REQUIRED' } }, {}],
])('reads %j as %j', (json, metadata) => expect(parseMetadata(json)).toEqual(metadata))

test.each([
  [[1], 'is not a JSON object'],
  [{ title: {} }, 'has an invalid field: title must be a string'],
  [{ channel: 5 }, 'has an invalid field: channel must be a string or an object with "id" and "name"'],
  [{ durationS: '9' }, 'has an invalid field: durationS must be a positive number of seconds'],
  [{ durationS: -5 }, 'has an invalid field: durationS must be a positive number of seconds'],
])('refuses %j', (json, reason) => expect(() => parseMetadata(json)).toThrow(reason))

test('takes each field from the best source that has it', () => {
  const sources = [{ title: 'flag', videoId: undefined }, { title: 'info', videoId: 'v' }, { level: 'A1' }]
  expect(mergeMetadata(sources)).toEqual({ title: 'flag', videoId: 'v', level: 'A1' })
})

test('a channel that is known only by its name or its id uses that as both', () => {
  expect(mergeMetadata([{ channelName: 'C' }])).toEqual({ channelId: 'C', channelName: 'C' })
  expect(mergeMetadata([{ channelId: 'c' }])).toEqual({ channelId: 'c', channelName: 'c' })
  expect(mergeMetadata([{ title: 'T' }])).toEqual({ title: 'T' })
})

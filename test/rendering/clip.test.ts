import { expect, test } from 'vitest'
import { renderClip, toFeedClip, youtubeUrls } from '#rendering/clip.ts'
import { clip } from '../build/small-corpus.ts'

const date = '2026-03-01T12:00:00.000Z'
const fields =
  'clipId videoId title language level durationS channel embedUrl watchUrl wordCount indexedAt'.split(' ')

test('the record has the fields of the contract, in its order', () => {
  const record = renderClip(clip('dQw4w9WgXcQ'), youtubeUrls, 7, date)
  expect(Object.keys(record)).toEqual(fields)
  expect(record).toMatchObject({
    embedUrl: 'https://www.youtube.com/embed/dQw4w9WgXcQ',
    watchUrl: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
    wordCount: 7,
    indexedAt: date,
  })
})

test('in lists it is without wordCount and indexedAt', () => {
  expect(Object.keys(toFeedClip(renderClip(clip('v'), youtubeUrls, 7, date)))).toEqual(fields.slice(0, -2))
})

test('templates name the video wherever they say so', () => {
  const urls = {
    embedUrl: 'https://e.example/{videoId}?poster={videoId}',
    watchUrl: 'https://w.example/{videoId}',
  }
  expect(renderClip(clip('a$&b'.replace('$&', '_')), urls, 0, date)).toMatchObject({
    embedUrl: 'https://e.example/a_b?poster=a_b',
    watchUrl: 'https://w.example/a_b',
  })
})

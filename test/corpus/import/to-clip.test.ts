import { beforeEach, expect, test } from 'vitest'
import { parseClip, type SourceCue } from '#corpus/source-clip.ts'
import { CueTally } from '#corpus/import/cue-tally.ts'
import { formatClip } from '#corpus/import/clip-folder.ts'
import { toClip } from '#corpus/import/to-clip.ts'

const cue = { tStart: 0, tEnd: 2.01, text: 'Good morning.' }
const source = { name: 'abc.srt', language: 'en', isOneOfSeveral: false }
const metadata = { videoId: 'v', title: 'T', channelId: 'c', channelName: 'C', level: 'A1' }
const clip = (cues: SourceCue[] = [cue], more = {}) => toClip(cues, { ...metadata, ...more }, source, tally)
let tally: CueTally

beforeEach(() => void (tally = new CueTally()))

test('without a duration, a clip lasts until its last cue ends, rounded up', () => {
  expect(
    clip([
      { ...cue, tEnd: 5.5 },
      { ...cue, tStart: 1 },
    ]).durationS,
  ).toBe(6)
  expect(clip([cue], { durationS: 9 }).durationS).toBe(9)
})

test('says what is missing and how to give it', () => {
  const refused = (known: object, isOneOfSeveral: boolean) => () =>
    toClip([cue], known, { ...source, isOneOfSeveral }, tally)
  expect(refused({ title: 'T', channelName: 'C' }, false)).toThrow(
    'has no video id, channel id or level. Give --video-id, --channel-id, --level, --metadata, or a sidecar (abc.info.json, abc.json, abc.meta.json)',
  )
  expect(refused({ channelId: 'c', channelName: 'C' }, true)).toThrow(
    'has no video id, title or level. Give --name-pattern, --level, --metadata, or a sidecar (abc.info.json, abc.json, abc.meta.json)',
  )
})

test.each([
  [[{ ...cue, tEnd: 180.001 }], {}, 'durationS is 181 s, but a clip can last at most 180 s'],
  [[{ ...cue, tStart: 9, tEnd: 10 }], { durationS: 1 }, 'has 1 of 1 cue after the end of the video (1 s)'],
  [[{ ...cue, tStart: 3 }], {}, 'cues[0].tEnd is 2.01 s, before tStart (3 s)'],
  [[{ ...cue, tStart: 1 }, cue], {}, 'cues[1].tStart is 0 s'],
  [[cue], { videoId: 'a b' }, 'videoId must be 1 to 64'],
  [[cue], { level: 'B3' }, 'level must be one of A1'],
  [[cue], { language: 'fr-CA' }, 'is in "fr-CA" according to its metadata. Import it with --language fr'],
])('refuses what the source corpus would refuse (%#)', (cues, more, reason) => {
  expect(() => clip(cues, more)).toThrow(reason)
})

test('cuts cues and words at the end of the video, and drops later ones', () => {
  const long = { tStart: 3, tEnd: 7, text: 'So long.', words: [{ text: 'So', tStart: 3, tEnd: 6 }] }
  const made = clip([cue, cue, cue, long, { ...cue, tStart: 8, tEnd: 9 }], { durationS: 5 })
  expect(made.cues).toHaveLength(4)
  expect(made.cues[3]).toEqual({ ...long, tEnd: 5, words: [{ ...long.words[0]!, tEnd: 5 }] })
  expect(tally).toMatchObject({
    cues: { dropped: { 'after the end of the video': 1 } },
    repairs: { 'end past the end of the video: cut': 1 },
  })
})

test('the source corpus reads the rendered clip back, with one cue on each line', () => {
  const words = [
    { text: 'Good', tStart: 0, tEnd: 1 },
    { text: '"morning".', tStart: 1, tEnd: 2.01 },
  ]
  const made = clip([
    { ...cue, words },
    { ...cue, text: 'a, [b] {c}' },
  ])
  const text = formatClip(made)
  expect(parseClip(text)).toEqual({ ok: true, value: made })
  expect(text).toContain('\n    { "tStart": 0, "tEnd": 2.01, "text": "a, [b] {c}" }\n')
})

import { expect, test } from 'vitest'
import { CueTally } from '#corpus/import/cue-tally.ts'
import { parseFile } from '#corpus/import/formats/parse-file.ts'
import { droppedCount } from './dropped-count.ts'

/*
 * Files of about 800 KB that are made to take long. A step whose time grows with the square of the
 * length of a file, a cue, a line or a list would take from ten seconds to hours, and the test
 * would time out.
 */

const bytes = 800_000

/** Returns a text of about `length` characters. */
const repeated = (piece: string, length = bytes): string => piece.repeat(Math.floor(length / piece.length))

const srt = (text: string): string => `1\n00:00:01,000 --> 00:00:02,000\n${text}\n`

/** Returns SRT cues of exactly the maximum length. */
function longCues(piece: string): string {
  const text = `x${repeated(piece, 9_900)} x`
  return Array.from(
    { length: bytes / 10_000 },
    (_, i) => `00:00:01,000 --> 00:0${i % 10}:02,000\n${text}\n`,
  ).join('')
}

function manyCues(cueOf: (i: number) => string, count = 15_000): string {
  return Array.from({ length: count }, (_, i) => cueOf(i)).join('')
}

function timedText(inside: string): string {
  return `<timedtext><body><p t="1" d="2">${inside}</p></body></timedtext>`
}

const clock = (s: number): string => new Date(s * 1000).toISOString().slice(11, 23)

const tooLong = '× longer than 10,000 characters'
const tooDeep = 'has elements nested more than 100 levels deep'

const segments = Array.from({ length: 6000 }, (_, i) => ({ start: i, end: i + 1, text: '[Music]' }))
const words = Array.from({ length: 12_000 }, (_, i) => ({ word: 'xyz', start: i / 2, end: i / 2 + 0.4 }))
const noText = [srt('é '.repeat(1000)), Buffer.alloc(bytes, 0xff), Uint8Array.of(0x0a, 0xc3)]

test.each<[string, string | Buffer, string]>([
  ['one cue', srt(repeated('a b ')), tooLong],
  ['nested tags', timedText(repeated('<b>')), tooDeep],
  ['closing tags without a tag', timedText(`<b>${repeated('</i>')}</b>`), 'no text'],
  ['tags that never end', `<${repeated('<time ')}`, 'is not a subtitle file'],
  ['codes that never end', `Dialogue: 0,0:00:01.00,0:00:02.00,D,,0,0,0,,{${repeated('\\p1')}`, tooLong],
  ['words beside segments that have none of them', JSON.stringify({ segments, words }), 'not speech'],
  ['combining marks', longCues('\u0301\u0323'), 'unprintable characters'],
  ['broken JSON', repeated('['), 'invalid or truncated JSON'],
  ['nested JSON', repeated('[', 400_000) + repeated(']', 400_000), 'has an invalid entry [0]'],
  ['bytes that are not text', Buffer.concat(noText.map((part) => Buffer.from(part))), tooLong],
  ['times alone', repeated('1', 400_000) + ':', 'is not a subtitle file'],
])('%s: rejected, with the reason', (_, content, reason) => {
  expect(() => parseFile(Buffer.from(content), 'en', new CueTally())).toThrow(reason)
})

const goingBack = (i: number) => (i < 9_000 ? 40_000 - i : i)

test.each<[string, string | Buffer]>([
  ['arrows', longCues('>')],
  ['sounds before arrows', longCues('[Music]') + srt('a >> b')],
  ['labels', longCues('AB: x\n')],
  ['repeated lines', longCues('a\n')],
  ['inline times', `WEBVTT\n\n${longCues('<00:00:01.500> a').replaceAll(',', '.')}`],
  ['cues without times', `${srt('x')}\n${manyCues((i) => `${i + 2}\nhello\n\n`, 60_000)}`],
  ['starts that go back', manyCues((i) => `${clock(goingBack(i))} --> ${clock(50_000 + i)}\nhi\n`)],
])('%s: read, and every cue is accounted for', (_, content) => {
  const tally = new CueTally()
  const { cues } = parseFile(Buffer.from(content), 'en', tally)
  expect(tally.cues.in).toBe(cues.length + droppedCount(tally))
  expect(cues.length).toBeGreaterThan(0)
})

test('rejects words of a recogniser that its text lacks', () => {
  const words = Array.from({ length: 10_000 }, (_, i) => ({ word: `w${i}`, start: i, end: i }))
  const segment = { start: 0, end: 9, text: repeated('a ', 9_900), words }
  const { cues } = parseFile(Buffer.from(JSON.stringify({ segments: [segment] })), 'en', new CueTally())
  expect(cues).toHaveLength(1)
  expect(cues[0]!.words).toBeUndefined()
})

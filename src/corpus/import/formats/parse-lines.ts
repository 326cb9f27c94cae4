import { roundTime } from '#kit/round.ts'
import type { Metadata } from '../video/metadata.ts'
import {
  findHighlight,
  joinPieces,
  parseTimestamp,
  secondsOf,
  type FoundCue,
  type ParsedFile,
  type RawCue,
} from './cue.ts'

/**
 * Not media-captions' `parseText` (1.0.4): it lost cues of 30 of 786 real SRT and WebVTT files
 * without an error. It drops cues of no or negative length, adds a cue to the previous one if no
 * blank line separates them, reads SRT coordinates as text, and text such as `size: 5` as settings.
 * The tests compare this parser with it where it is correct.
 */

/** The start of a cue and, if the format has it, the end; null for a time that cannot be parsed. */
interface Timing {
  tStart: number | null
  tEnd?: number | null
  /** Text on the same line, after the times. */
  text?: string
}

/** The timing of a trimmed line, by format; null if it is not a timing line. */
const readers = {
  vtt: readArrow,
  srt: readArrow,
  sbv: readPair,
  starts: readStart,
  stc: readFrameCode,
  tsv: readRow,
}

/** The formats in which a timing line precedes the text of its cue. */
export type LineFormat = keyof typeof readers

/**
 * Parses SRT, WebVTT, SubViewer as YouTube writes it (`0:00:01.650,0:00:03.000`), texts with only
 * start times (`00:00:01.650`), Spruce-like `*TC 00:00:02;24` frame codes, and Whisper's TSV. In
 * formats with start times or frame codes, a cue has no end.
 *
 * A cue continues until the next timing line, with or without a blank line before it. Identifiers,
 * cue settings, notes, styles and regions are dropped. A cue without times, or with times that
 * cannot be parsed, is returned as its fault.
 */
export function parseLines(text: string, format: LineFormat): ParsedFile {
  const lines = text.split(/\r\n|\r|\n/)
  const header = format === 'vtt' ? readHeader(lines) : {}
  const shifts = format === 'vtt' ? segmentShifts(lines) : []
  if (format === 'vtt') blankAside(lines)
  const timings = lines.flatMap((line, at) => {
    const timing = readers[format](line.trim())
    return timing ? [{ at, ...timing }] : []
  })
  // In double-spaced files, a blank line is between the two.
  const first = timings[0]?.at ?? 0
  const idGap = lines[first - 1]?.trim() === '' && isNumber(lines[first - 2]) ? 2 : 1
  const isBelowNumber = timings.map(({ at }) => isNumber(lines[at - idGap]))
  const areNumbered = isBelowNumber[0] || isBelowNumber.filter(Boolean).length * 2 > timings.length
  const cues = timings.flatMap(({ at, text = '', ...timing }, n) => {
    const next = timings[n + 1]?.at ?? lines.length
    // In WebVTT, any line after a blank one identifies the next cue.
    const isAfterBlank = format === 'vtt' && lines[next - 2]?.trim() === ''
    const hasId = isAfterBlank || (areNumbered && isBelowNumber[n + 1])
    const to = hasId && n + 1 < timings.length ? Math.max(next - idGap, at + 1) : next
    const [body, ...others] = splitUntimed(lines.slice(at + 1, to), lines[at - idGap])
    const cue = readCue(timing, [text, ...body!].join('\n').trim())
    const shiftS = shifts.findLast((shift) => shift.at < at)?.shiftS ?? 0
    return [
      shiftS === 0 || typeof cue === 'string' ? cue : shiftCue(cue, shiftS),
      ...others.map(() => 'no times' as const),
    ]
  })
  return { cues, ...header }
}

/** The header of WebVTT files from YouTube: `Kind: captions`, `Language: en`, `Video: <id>`. */
function readHeader(lines: readonly string[]): { metadata: Metadata; track?: string } {
  const until = lines.findIndex((line) => line === '' || readArrow(line.trim()))
  const header = lines.slice(0, until < 0 ? 30 : until).join('\n')
  const valueOf = (name: string) =>
    new RegExp(String.raw`^${name}:[ \t]*(\S+)[ \t]*$`, 'im').exec(header)?.[1]
  const [language, videoId, kind = ''] = ['Language', 'Video', 'Kind'].map(valueOf)
  return {
    metadata: { ...(language && { language }), ...(videoId && { videoId }) },
    ...(/^(?:chapters|descriptions|metadata)$/i.test(kind) && { track: kind.toLowerCase() }),
  }
}

/**
 * Returns how much later the times of each segment are than in the first one, by the line of its
 * `X-TIMESTAMP-MAP` (https://www.rfc-editor.org/rfc/rfc8216#section-3.5).
 */
function segmentShifts(lines: readonly string[]): { at: number; shiftS: number }[] {
  const maps = lines.flatMap((line, at) => {
    if (!line.startsWith('X-TIMESTAMP-MAP=')) return []
    const local = parseTimestamp(/LOCAL:([\d:.]+)/.exec(line)?.[1] ?? '')
    const ticks = /MPEGTS:(\d{1,15})/.exec(line)?.[1]
    return local === null || ticks === undefined ? [] : [{ at, offsetS: Number(ticks) / 90_000 - local }]
  })
  return maps.map(({ at, offsetS }) => ({ at, shiftS: roundTime(offsetS - maps[0]!.offsetS) }))
}

function shiftCue(cue: RawCue, shiftS: number): FoundCue {
  const shift = (time: number) => roundTime(time + shiftS)
  const tStart = shift(cue.tStart)
  if (tStart < 0) return 'before the start of the video'
  const anchors = cue.anchors.map(({ letters, time }) => ({ letters, time: shift(time) }))
  return { ...cue, tStart, tEnd: cue.tEnd === null ? null : shift(cue.tEnd), anchors }
}

const segmentHeader = /^\ufeff?(?:WEBVTT[ \t]*$|WEBVTT[ \t]+-|X-TIMESTAMP-MAP=)/

/**
 * Blanks the blocks of WebVTT that are not spoken: the header (of every segment, if several files
 * were joined), NOTE, STYLE and REGION, each up to a blank line or a timing line.
 */
function blankAside(lines: string[]): void {
  let aside = true
  let above = ''
  for (const [i, line] of lines.entries()) {
    if (line === '' || readArrow(line.trim())) aside = false
    else if (above === '' && /^(?:NOTE|STYLE|REGION)(?=[ \t:]|$)/.test(line)) aside = true
    else if (segmentHeader.test(line)) aside = true
    above = line
    if (aside) lines[i] = ''
  }
}

/**
 * Splits the lines of a cue where another one starts that has lost its times: at a number alone
 * after a blank line, one more than the number above.
 */
function splitUntimed(lines: readonly string[], idLine: string | undefined): string[][] {
  const cues: string[][] = [[]]
  let id = isNumber(idLine) ? Number(idLine) : NaN
  for (const [i, line] of lines.entries()) {
    if (lines[i - 1]?.trim() === '' && isNumber(line) && Number(line) === id + 1) {
      id++
      cues.push([])
    } else cues.at(-1)!.push(line)
  }
  return cues
}

function isNumber(line: string | undefined): boolean {
  return line !== undefined && line.length < 20 && /^[\s\u200b#]*\d{1,9}[\s.:)]*$/.test(line)
}

/**
 * Builds a cue with WebVTT's inline times: `is<00:00:01.680><c> well</c>` is the text "is well"
 * with a time before its third letter. Other tags are dropped.
 */
function readCue({ tStart, tEnd }: Timing, raw: string): FoundCue {
  if (tStart === null || tEnd === null) return 'times cannot be read'
  if (tStart < 0) return 'before the start of the video'
  const pieces = raw.split(/(?=<\d+:[\d:.]+>)/).map((piece) => ({
    raw: piece,
    time: parseTimestamp(/^<(\d[\d:.]+)>/.exec(piece)?.[1] ?? ''),
  }))
  const { text, ...times } = joinPieces(pieces)
  const highlight = pieces.length > 1 ? undefined : findHighlight(raw)
  const cue = { tStart, tEnd: tEnd ?? null, text: text.replace(/ {2,}/g, ' '), ...times }
  return highlight === undefined ? cue : { ...cue, highlight }
}

/** A timing line, whose start or end may be missing. Inside a sentence, an arrow is text. */
const timingLine = /^(?:\[?-?\d\S*\s*)?-->|-->\s*-?\d+:\d/
const arrowTimes = /^\[?(-?)(\d[\w:;.,]*(?: \d+)?)\s*-->\s*(-?)(\d[\w:;.,]*)\]?(?=\s|$)(.*)$/
/** The settings of WebVTT cues, and the coordinates of SRT. */
const cueSettings =
  /(?<=\s|^)(?:(?:align|line|position|region|size|vertical|[ADLST]):\S+|[XY][12]:\s*\d+)(?=\s|$)/g

/** Reads two times with an arrow between them, and the text after them. */
function readArrow(line: string): Timing | null {
  if (!line.includes('-->') || !timingLine.test(line)) return null
  const [, startSign, start = '', endSign, end = '', rest = ''] = arrowTimes.exec(line) ?? []
  const tEnd = parseTimestamp(end)
  if (endSign === '-' && tEnd !== 0) return { tStart: -1, tEnd }
  const text = rest.replace(cueSettings, '').trim()
  return { tStart: startSign === '-' ? 0 : parseTimestamp(start), tEnd, ...(text && { text }) }
}

/** Letters among the digits mean a damaged time, not text. */
function readPair(line: string): Timing | null {
  const pair = /^(\d+:\d\w*:\d\w*[.,]\w+),(\d+:\d\w*:\d\w*[.,]\w+)$/.exec(line)
  return pair && { tStart: parseTimestamp(pair[1]!), tEnd: parseTimestamp(pair[2]!) }
}

function readStart(line: string): Timing | null {
  return /^\d+:\d\w*:\d\w*[.,]\w+$/.test(line) ? { tStart: parseTimestamp(line) } : null
}

/**
 * Hours, minutes, seconds and frames of NTSC's 29.97 frames per second. Frame numbers skip two per
 * minute, except every tenth minute, to stay with the clock (SMPTE ST 12-1): read as clock time,
 * they are accurate to a tenth of a second.
 */
function readFrameCode(line: string): Timing | null {
  if (!/^\*TC\s/.test(line)) return null
  const [, clock = '', frames, text] =
    /^\*TC\s+(\d+:\d{1,2}:\d{1,2})[:;](\d{1,2})(?!\d)(.*)$/.exec(line) ?? []
  const seconds = parseTimestamp(clock)
  if (seconds === null || Number(frames) > 29) return { tStart: null }
  return { tStart: roundTime(seconds + (Number(frames) * 1001) / 30000), ...(text && { text }) }
}

/** Reads start and end in milliseconds, and the text, below the header `start end text`. */
function readRow(line: string): Timing | null {
  if (line === '' || /^start\tend\ttext$/.test(line)) return null
  const [, start, end, text = line] = /^(\d{1,12})\t(\d{1,12})(?:\t|$)(.*)/.exec(line) ?? []
  const ms = (time: string | undefined) => secondsOf(time === undefined ? null : Number(time), 1000)
  return { tStart: ms(start), tEnd: ms(end), text }
}

import { roundTime } from '#kit/round.ts'
import { plainText } from './clean-text.ts'
import { parseTimestamp, secondsOf, untimed, type ParsedFile, type RawCue } from './cue.ts'

/**
 * A line of times: where its cue begins and, if the format has it, ends; null for a time that
 * cannot be parsed.
 */
interface Timing {
  tStart: number | null
  tEnd?: number | null
  /** Text on the same line, behind the times. */
  said?: string
}

/** The formats in which a line of times precedes the text of its cue, and there is nothing else. */
type TimedLines = 'sbv' | 'starts' | 'stc' | 'tsv'

const readers: Record<TimedLines, (line: string) => Timing | null> = {
  sbv: readPair,
  starts: readStart,
  stc: readFrameCode,
  tsv: readRow,
}

/**
 * Parses SubViewer as YouTube writes it (`0:00:01.650,0:00:03.000`), texts with start times alone
 * (`00:00:01.650`), Spruce-like `*TC 00:00:02;24` frame codes, and Whisper's TSV. In those with
 * start times or frame codes a cue has no end.
 */
export function parseTimedLines(text: string, format: TimedLines): ParsedFile {
  const cues: RawCue[] = []
  let lines: string[] = []
  const close = () => {
    const last = cues.at(-1)
    if (last) last.text = plainText(lines.join('\n').trim())
    lines = []
  }
  for (const line of text.split(/\r\n|\r|\n/)) {
    const timing = readers[format](line.trim())
    if (timing === null) {
      lines.push(line)
      continue
    }
    close()
    const { tStart, tEnd, said } = timing
    cues.push(tStart === null || tEnd === null ? untimed('') : { tStart, tEnd: tEnd ?? null, text: '' })
    if (said) lines.push(said)
  }
  close()
  return { cues }
}

/** Letters among the digits are a damaged time, not text. */
function readPair(line: string): Timing | null {
  const pair = /^(\d+:\d\w*:\d\w*[.,]\w+),(\d+:\d\w*:\d\w*[.,]\w+)$/.exec(line)
  return pair && { tStart: parseTimestamp(pair[1]!), tEnd: parseTimestamp(pair[2]!) }
}

function readStart(line: string): Timing | null {
  return /^\d+:\d\w*:\d\w*[.,]\w+$/.test(line) ? { tStart: parseTimestamp(line) } : null
}

/**
 * Hours, minutes, seconds and frames of NTSC's 29.97 frames per second. Frame numbers skip two per
 * minute, except every tenth minute, to stay with the clock (SMPTE ST 12-1): taken as clock time
 * they are right to a tenth of a second.
 */
function readFrameCode(line: string): Timing | null {
  if (!/^\*TC\s/.test(line)) return null
  const [, clock, frames, said] = /^\*TC\s+(\d+:\d{1,2}:\d{1,2})[:;](\d{1,2})(?!\d)(.*)$/.exec(line) ?? []
  const seconds = clock === undefined ? null : parseTimestamp(clock)
  if (seconds === null || Number(frames) > 29) return { tStart: null }
  return { tStart: roundTime(seconds + (Number(frames) * 1001) / 30000), ...(said && { said }) }
}

/** Milliseconds, milliseconds and text, below the header `start end text`. */
function readRow(line: string): Timing | null {
  if (line === '' || /^start\tend\ttext$/.test(line)) return null
  const [, start, end, said = line] = /^(\d{1,12})\t(\d{1,12})(?:\t|$)(.*)/.exec(line) ?? []
  const ms = (time: string | undefined) => secondsOf(time === undefined ? null : Number(time), 1000)
  return { tStart: ms(start), tEnd: ms(end), said }
}

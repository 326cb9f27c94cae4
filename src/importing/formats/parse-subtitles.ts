import { parseTimestamp, untimed, type ParsedFile, type RawCue } from './cue.ts'
import type { Metadata } from '../video/metadata.ts'
import { plainText } from './clean-text.ts'
import { parseInlineTimes } from './time-words.ts'

/**
 * Not media-captions' `parseText` (1.0.4): of 786 real SRT and WebVTT files 30 came out with cues
 * missing and no error. It drops cues of no or negative length, takes a cue that no blank line
 * separates for text of the one before, takes SRT coordinates for text, and text such as `size: 5`
 * for settings. The tests compare this parser with it where it is right.
 */

/** A timing line and the lines of text that follow it. */
interface Block {
  /** Index of the timing line. */
  at: number
  /** Index of the first line of the body, and of the line after its last. */
  from: number
  to: number
}

const timing = /^\s*(\d[\d:.,]*)\s*-->\s*(\d[\d:.,]*)(?=\s|$)/

/**
 * Parses SRT or WebVTT. Identifiers, cue settings, notes, styles and regions are dropped. A cue
 * lasts until the next timing line, whether or not a blank line precedes it. A cue without times,
 * or with times that cannot be parsed, is returned with its fault.
 */
export function parseSubtitles(text: string, format: 'srt' | 'vtt'): ParsedFile {
  const lines = text.includes('\r') ? text.split(/\r\n|\r|\n/) : text.split('\n')
  const header = format === 'vtt' ? readHeader(lines) : {}
  if (format === 'vtt') blankAside(lines)
  const cues: RawCue[] = []
  for (const block of findBlocks(lines, format)) {
    let next = untimedFrom(lines, block)
    cues.push(readCue(lines, { ...block, to: next ?? block.to }))
    while (next !== null) {
      const from = next + 1
      next = untimedFrom(lines, { at: from, from, to: block.to })
      const text = plainText(lines.slice(from, next ?? block.to).join('\n'))
      cues.push(untimed(text, 'no times'))
    }
  }
  return { cues, ...header }
}

/** The header of WebVTT files from YouTube: `Kind: captions`, `Language: en`, `Video: <id>`. */
function readHeader(lines: readonly string[]): { metadata?: Metadata; track?: string } {
  const metadata: Metadata = {}
  let track: string | undefined
  for (const line of lines.slice(0, 30)) {
    if (line === '' || isTiming(line)) break
    const [, name, value] = /^(Kind|Language|Video):\s*(\S+)\s*$/i.exec(line) ?? []
    if (name === undefined) continue
    if (/^kind$/i.test(name) && /^(?:chapters|descriptions|metadata)$/i.test(value!))
      track = value!.toLowerCase()
    if (/^language$/i.test(name)) metadata.language = value!
    if (/^video$/i.test(name)) metadata.videoId = value!
  }
  return { metadata, ...(track === undefined ? {} : { track }) }
}

/**
 * Blanks the blocks of WebVTT that are not spoken: the header, NOTE, STYLE and REGION, each up to a
 * blank line or a timing line.
 */
function blankAside(lines: string[]): void {
  let aside = true
  let above = ''
  for (const [i, line] of lines.entries()) {
    if (line === '' || isTiming(line)) aside = false
    else if (above === '' && /^(?:NOTE|STYLE|REGION)(?=[ \t:]|$)/.test(line)) aside = true
    above = line
    if (aside) lines[i] = ''
  }
}

function findBlocks(lines: readonly string[], format: 'srt' | 'vtt'): Block[] {
  const timings: number[] = []
  for (const [i, line] of lines.entries()) if (isTiming(line)) timings.push(i)
  const above = timings.filter((at) => isNumber(lines[at - 1])).length
  const numbered = isNumber(lines[timings[0]! - 1]) || above * 2 > timings.length
  return timings.map((at, n) => {
    const next = timings[n + 1]
    if (next === undefined) return { at, from: at + 1, to: lines.length }
    const isId = format === 'srt' ? numbered && isNumber(lines[next - 1]) : lines[next - 2]?.trim() === ''
    return { at, from: at + 1, to: next - 1 > at && isId ? next - 1 : next }
  })
}

function readCue(lines: readonly string[], { at, from, to }: Block): RawCue {
  const [tStart, tEnd] = readTimes(lines[at]!)
  const raw = to === from + 1 ? lines[from]! : lines.slice(from, to).join('\n')
  if (tStart === null || tEnd === null) return untimed(plainText(raw))
  if (!raw.includes('<') || !/<\d+:/.test(raw)) return { tStart, tEnd, text: plainText(raw) }
  return { tStart, tEnd, ...parseInlineTimes(raw) }
}

/** The two times of a timing line; null for one that cannot be parsed. */
function readTimes(line: string): [number | null, number | null] {
  const match = timing.exec(line)
  return match ? [parseTimestamp(match[1]!), parseTimestamp(match[2]!)] : [null, null]
}

/**
 * The index of a line that begins a cue which has lost its times, or null: a number alone after a
 * blank line, one more than the cue's own.
 */
function untimedFrom(lines: readonly string[], { at, from, to }: Block): number | null {
  if (to - from < 2 || !isNumber(lines[at - 1])) return null
  const wanted = Number(lines[at - 1]) + 1
  for (let i = from + 1; i < to; i++) {
    if (lines[i - 1]!.trim() === '' && Number(lines[i]) === wanted && isNumber(lines[i])) return i
  }
  return null
}

/** Whether a line has times, or was meant to. An arrow inside a sentence is text. */
function isTiming(line: string): boolean {
  if (!line.includes('-->')) return false
  return /^\s*\d\S*\s*-->/.test(line) || /^\s*-->/.test(line) || /-->\s*\d+:\d/.test(line)
}

function isNumber(line: string | undefined): boolean {
  return line !== undefined && line.length < 20 && /^\s*\d{1,9}\s*$/.test(line)
}

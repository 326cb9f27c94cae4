import { Rejection } from './rejection.ts'

export type Format = 'vtt' | 'srt' | 'words'

/** The signature line of WebVTT (https://www.w3.org/TR/webvtt1/#file-structure): the word alone, or followed by a blank. */
const vttHeader = /^WEBVTT(?=[ \t\r\n]|$)/
const timingLine = /^[ \t]*\d+:[\d:.,]+[ \t]*-->/m
const wordTimings = /^\s*\[\s*[[\]]/

/**
 * Tells the format from the text alone: extensions mislead (SBV in `.srt`, SRT in `.txt`).
 *
 * @throws {Rejection} the text is of none of the formats
 */
export function detectFormat(text: string): Format {
  if (text.trim() === '') throw new Rejection('is empty')
  if (vttHeader.test(text)) return 'vtt'
  if (timingLine.test(text)) return 'srt'
  if (wordTimings.test(text)) return 'words'
  throw new Rejection('is neither SubRip (SRT), WebVTT nor word timings ([[" word", start, end], …])')
}

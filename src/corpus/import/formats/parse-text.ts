import type { CueTally } from '../cue-tally.ts'
import { Rejection, UnknownFormat } from '../rejection.ts'
import type { ParsedFile } from './cue.ts'
import { parseAss } from './parse-ass.ts'
import { parseJson } from './parse-json.ts'
import { parseLines } from './parse-lines.ts'
import { parseTtml } from './parse-ttml.ts'
import { parseXml } from './parse-xml.ts'
import { usualTimings } from './usual-timings.ts'

/** The signature of WebVTT (https://www.w3.org/TR/webvtt1/#file-structure), and misspellings. */
const vttHeader = /^\s*(?:WEBVTT(?=[ \t\r\n]|$)|(?:WEBVTT|[Ww]eb[Vv](?:TT|tt))(?=[^]*-->))/

/** The fences around a file that a chatbot wrote or translated. */
const fence = /^(?:```|~~~)\w*[ \t]*\r?$/gm

/** The appearance of a timing line in each format. The first that occurs in a text decides. */
const timingLines = [
  ['srt', /^[ \t]*\[?-?\d+:[\w:;.,]+(?: \d+)?[ \t]*-->[ \t]*-?\d/m],
  ['sbv', /^[ \t]*\d+:\d{1,2}:\d{1,2}[.,]\w{1,4},\d+:\d{1,2}:\d{1,2}[.,]\w{1,4}[ \t]*\r?$/m],
  ['starts', /^[ \t]*\d+:\d{1,2}:\d{1,2}[.,]\d{1,3}[ \t]*\r?$/m],
  ['stc', /^\*TC[ \t]+\d+:\d+:\d+[:;]\d+/m],
  ['tsv', /^start\tend\ttext[ \t]*\r?$/m],
] as const

const xmlFormats = [
  ['realtext', /<time\s[^<>]*\bbegin\s*=/i],
  ['ttml', /<(?:[\w.-]+:)?tt[\s>]/i],
  ['timedtext', /<(?:timedtext|transcript)[\s>]/i],
] as const

const assLine = /^\[Script Info\]|^Dialogue:\s/im

const otherFormats = [
  ['MicroDVD', /^\{\d+\}\{\d+\}/m],
  ['SAMI', /<SAMI[\s>]/i],
  ['MPL2', /^\[\d+\]\[\d*\]/m],
  ['SCC', /^Scenarist_SCC/],
  ['LRC lyrics', /^\[\d+:\d\d(?:[.:]\d+)?\]/m],
] as const

/**
 * Parses a subtitle file. Its format is detected from the text alone: extensions mislead (SBV in
 * `.srt`, SRT in `.txt`).
 *
 * @throws {Rejection} the text is in no known format
 * @throws {Skip} the text describes a video
 */
export function parseText(raw: string, language: string, tally: CueTally): ParsedFile & { format: string } {
  const text = usualTimings(raw.replace(fence, ''))
  const head = text.trimStart()
  if (head === '') throw new Rejection('is empty')
  if (vttHeader.test(text)) return { format: 'vtt', ...parseLines(text, 'vtt') }
  const timing = firstTiming(text)
  try {
    if (/^[{[]/.test(head)) return parseJson(JSON.parse(head), language, tally)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    // `[Music]` looks like JSON only at its start.
    if (timing === null && /^[{[]\s*(?:["{[\]}]|$)/.test(head))
      throw new Rejection(`is invalid or truncated JSON: ${error.message}`)
  }
  const xml = head.startsWith('<') && xmlFormats.find(([, pattern]) => pattern.test(text))
  if (xml)
    return { format: xml[0], ...(xml[0] === 'ttml' ? parseTtml(text, language) : parseXml(text, xml[0])) }
  if (timing !== null) return { format: timing, ...parseLines(text, timing) }
  if (assLine.test(text)) return { format: 'ass', ...parseAss(text) }
  const other = otherFormats.find(([, pattern]) => pattern.test(text))
  if (other) throw new Rejection(`is ${other[0]}, which is not supported. Convert it to WebVTT or SRT`)
  throw new UnknownFormat(
    'is not a subtitle file in a known format. The formats are WebVTT, SubRip (SRT), SubViewer (SBV), SubStation Alpha (ASS), YouTube json3, srv and TTML, Whisper JSON, and word timings',
  )
}

function firstTiming(text: string): (typeof timingLines)[number][0] | null {
  const matches = timingLines
    .map(([format, pattern]) => ({ format, at: text.search(pattern) }))
    .filter(({ at }) => at >= 0)
  return matches.toSorted((a, b) => a.at - b.at)[0]?.format ?? null
}

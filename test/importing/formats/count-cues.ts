import type { Format } from '#importing/formats/detect-format.ts'

/** How a timing line of each format looks to somebody who reads nothing else. */
const timingLines: Partial<Record<Format, RegExp>> = {
  sbv: /^\s*\d+:\d\w*:\d\w*[.,]\w+,\d+:\d\w*:\d\w*[.,]\w+\s*$/gm,
  starts: /^\s*\d+:\d+:\d+[.,]\d+\s*$/gm,
  stc: /^\*TC\s/gm,
  timedtext: /<(?:p|text)\s[^<>]*>/g,
  realtext: /<time\s[^<>]*>/g,
}

/**
 * How many cues a file holds, counted without any of the importer's code; null where that cannot be
 * told at a glance: word timings are grouped into cues by the importer itself.
 */
export function countCues(bytes: Uint8Array, format: Format, encoding: string): number | null {
  const text = new TextDecoder(encoding).decode(bytes)
  if (format === 'tsv') return text.trimEnd().split('\n').length - 1
  if (format === 'json3')
    return JSON.parse(text).events.filter((event: { segs?: unknown }) => event.segs).length
  if (format === 'whisper') return (JSON.parse(text).segments ?? JSON.parse(text)).length
  if (format === 'srt' || format === 'vtt') return countArrows(text) + countUntimed(text)
  const pattern = timingLines[format]
  if (pattern === undefined) return null
  return text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').match(pattern)?.length ?? 0
}

/** Lines with an arrow that has a time on one side at least, or nothing before it. */
function countArrows(text: string): number {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.includes('-->'))
  return lines.filter((line) => /^\s*(?:\d\S*\s*)?-->|-->\s*\d+:\d/.test(line)).length
}

/**
 * Cues of SRT whose timing line is missing: a number alone between a blank line and text, one more
 * than the cue's before.
 */
function countUntimed(text: string): number {
  const blocks = text.split(/\n[ \t\r]*\n/).map((block) => block.trim().split(/\r?\n/))
  return blocks.filter((lines, i) => {
    const before = blocks[i - 1]
    const numbered = /^\d+$/.test(lines[0] ?? '') && !lines[1]?.includes('-->')
    return numbered && before?.[1]?.includes('-->') && Number(lines[0]) === Number(before[0]) + 1
  }).length
}

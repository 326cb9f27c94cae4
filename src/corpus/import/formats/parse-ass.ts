import { roundTime } from '#kit/round.ts'
import { drawingCode } from './clean-text.ts'
import { findHighlight, joinPieces, parseTimestamp, type FoundCue, type ParsedFile } from './cue.ts'

/** The fields of a line in `[Events]` without a `Format:` line. */
const usualFields = 'layer start end style name marginl marginr marginv effect text'.split(' ')

/** The code that starts a karaoke syllable, with its length in hundredths of a second. */
const syllableCode = /\\k[fot]?(\d+(?:\.\d+)?)/i
/**
 * Parses the dialogue of SubStation Alpha and Advanced SubStation Alpha: each `Dialogue:` line is a
 * cue, in any order. Codes, comments in braces and drawings are dropped; karaoke syllables give the
 * times of the words.
 */
export function parseAss(text: string): ParsedFile {
  const cues: FoundCue[] = []
  let fields = usualFields
  let section = 'events'
  for (const line of text.split(/\r\n|\r|\n/)) {
    section = /^\[([^\]]+)\]\s*$/.exec(line)?.[1]!.toLowerCase() ?? section
    if (section !== 'events') continue
    const [, kind, rest = ''] = /^(Format|Dialogue):\s*(.*)$/i.exec(line) ?? []
    const values = rest.split(',')
    if (kind?.toLowerCase() === 'format') fields = values.map((field) => field.trim().toLowerCase())
    else if (kind !== undefined) cues.push(readDialogue(fields, values))
  }
  const startOf = (cue: FoundCue) => (typeof cue === 'string' ? 0 : cue.tStart)
  return { cues: cues.toSorted((a, b) => startOf(a) - startOf(b)) }
}

/** Reads a line. The text is its last field and may contain commas. */
function readDialogue(fields: readonly string[], values: readonly string[]): FoundCue {
  const timeOf = (name: string) => parseTimestamp(values[fields.indexOf(name)]?.trim() ?? '')
  const [tStart, tEnd] = [timeOf('start'), timeOf('end')]
  if (tStart === null || tEnd === null) return 'times cannot be read'
  const raw = values.slice(fields.length - 1).join(',')
  const pieces = readPieces(raw, tStart)
  const highlight = findHighlight(raw)
  return { tStart, tEnd, ...joinPieces(pieces), raw, ...(highlight && { highlight }) }
}

/** Returns the text between the codes. A syllable has a time if the line has several. */
function readPieces(text: string, tStart: number): { raw: string; time: number | null }[] {
  let time = tStart
  let lengthS = 0
  const pieces = text.split(/(?=\{)/).map((piece) => {
    const [code = ''] = /^\{[^{}]*\}/.exec(piece) ?? []
    const syllable = syllableCode.exec(code)?.[1]
    const shownText = drawingCode.test(code) ? '' : piece.slice(code.length)
    const raw = shownText.replace(/\\[Nn]/g, '\n').replaceAll('\\h', ' ')
    if (syllable === undefined) return { raw, time: null }
    time += lengthS
    lengthS = Number(syllable) / 100
    return { raw, time: roundTime(time) }
  })
  const isKaraoke = pieces.filter((piece) => piece.time !== null).length > 1
  if (isKaraoke) return [...pieces, { raw: '', time: roundTime(time + lengthS) }]
  return pieces.map(({ raw }) => ({ raw, time: null }))
}

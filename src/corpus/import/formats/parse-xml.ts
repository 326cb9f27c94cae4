import { Parser } from 'htmlparser2'
import { roundTime } from '#kit/round.ts'
import { plainText } from './clean-text.ts'
import { parseTimestamp, secondsOf, timedPieces, type FoundCue, type ParsedFile } from './cue.ts'
import { Rejection } from '../rejection.ts'

/** An element that is a cue, while it is open. */
interface OpenCue {
  name: string
  attributes: Record<string, string>
  pieces: { raw: string; offsetMs?: number | undefined }[]
}

/** The maximum depth. Captions need less, and the time to parse grows with its square. */
export const maxDepth = 100

/** RealText's `<time begin="1">`, which has no end tag. */
const timeTag = /<(time\s[^<>]*[^<>/])>/gi

/** The elements that are cues: `<p>` in srv3, `<text>` in srv1 and srv2, `<time>` in RealText. */
const cueElements = { timedtext: ['p', 'text'], realtext: ['time'] }
type XmlFormat = keyof typeof cueElements

/**
 * Parses captions in XML: YouTube's srv1, srv2 and srv3, and RealText. The parser is lenient: all
 * cues of a truncated file but the last are complete, and the same code parses RealText, whose
 * `<time>` has no end. In srv3, the readings of a ruby are left out: text in pens whose `rb` is 2
 * (brackets around a reading) or more.
 */
export function parseXml(text: string, format: XmlFormat): ParsedFile {
  const cues: FoundCue[] = []
  let open: OpenCue | null = null
  const readingPens = new Set<string>()
  let isReading = false
  let depth = 0
  const close = () => {
    if (open) cues.push(readCue(open, format))
    open = null
  }
  const parser = new Parser(
    {
      onopentag(rawName, attributes) {
        if (++depth > maxDepth) throw new Rejection(`has elements nested more than ${maxDepth} levels deep`)
        const name = localName(rawName)
        if (name === 'pen' && Number(attributes.rb) >= 2) readingPens.add(attributes.id ?? '')
        if (name === 's') isReading = readingPens.has(attributes.p ?? '')
        if (cueElements[format].includes(name)) {
          close()
          open = { name, attributes, pieces: [{ raw: '' }] }
        } else if (open && name === 's') {
          open.pieces.push({ raw: '', offsetMs: numberOf(attributes.t) })
        } else if (open && name === 'br') open.pieces.at(-1)!.raw += '\n'
      },
      ontext(text) {
        if (open && !isReading) open.pieces.at(-1)!.raw += text
      },
      onclosetag(rawName, isImplied) {
        depth--
        if (localName(rawName) === 's') isReading = false
        if (localName(rawName) === open?.name && !(isImplied && format === 'realtext')) close()
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(format === 'realtext' ? text.replace(timeTag, '<$1/>') : text)
  close()
  return { cues }
}

/** Returns the name of an element without its namespace prefix, in lower case: `tt:P` → `p`. */
export function localName(rawName: string): string {
  return rawName.toLowerCase().replace(/^.*:/, '')
}

/** Returns attributes by their names without prefixes, in lower case. */
export function localAttributes(attributes: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [localName(name), value]))
}

function readCue({ name, attributes, pieces }: OpenCue, format: XmlFormat): FoundCue {
  if (format === 'timedtext' && (name === 'p' || attributes.t !== undefined))
    return timedPieces(numberOf(attributes.t), numberOf(attributes.d), pieces)
  const tStart = timeOf(attributes.begin ?? attributes.start)
  if (tStart === null) return 'times cannot be read'
  const duration = timeOf(attributes.dur)
  const tEnd = timeOf(attributes.end) ?? (duration === null ? null : roundTime(tStart + duration))
  const raw = pieces.map((piece) => piece.raw).join('')
  return { tStart, tEnd, text: plainText(raw), raw, anchors: [] }
}

/** A clock time, or seconds with or without their unit (srv1, RealText). */
function timeOf(value: string | undefined): number | null {
  if (value === undefined) return null
  const [, number] = /^(\d+(?:\.\d+)?)s?$/.exec(value) ?? []
  return number === undefined ? parseTimestamp(value) : secondsOf(Number(number))
}

function numberOf(value: string | undefined): number | undefined {
  return value !== undefined && /^\d+$/.test(value) ? Number(value) : undefined
}

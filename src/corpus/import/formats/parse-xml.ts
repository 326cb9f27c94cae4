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

/** Captions nest a few elements. The time of the parser grows with the square of the depth. */
const maxDepth = 100

/** `<time begin="1">` of RealText, which has no end tag. */
const timeTag = /<(time\s[^<>]*[^<>/])>/gi

/**
 * The elements that are cues: `<p>` in srv3 and TTML, `<text>` in srv1 and srv2, `<time>` in
 * RealText.
 */
const cueElements = { timedtext: ['p', 'text'], ttml: ['p'], realtext: ['time'] }
type XmlFormat = keyof typeof cueElements

/**
 * Parses captions in XML: YouTube's srv1, srv2 and srv3, TTML, RealText. The parser is lenient, so
 * that of a truncated file all cues but the last are complete, and RealText, whose `<time>` has no
 * end, is parsed by the same code.
 */
export function parseXml(text: string, format: XmlFormat): ParsedFile {
  const cues: FoundCue[] = []
  let open: OpenCue | null = null
  let depth = 0
  const close = () => {
    if (open) cues.push(readCue(open, format))
    open = null
  }
  const parser = new Parser(
    {
      onopentag(rawName, attributes) {
        if (++depth > maxDepth) throw new Rejection(`has elements nested more than ${maxDepth} deep`)
        const name = nameOf(rawName)
        if (cueElements[format].includes(name)) {
          close()
          open = { name, attributes, pieces: [{ raw: '' }] }
        } else if (open && name === 's') {
          open.pieces.push({ raw: '', offsetMs: numberOf(attributes.t) })
        } else if (open && name === 'br') open.pieces.at(-1)!.raw += '\n'
      },
      ontext(said) {
        if (open) open.pieces.at(-1)!.raw += said
      },
      onclosetag(rawName, isImplied) {
        depth--
        if (nameOf(rawName) === open?.name && !(isImplied && format === 'realtext')) close()
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(format === 'realtext' ? text.replace(timeTag, '<$1/>') : text)
  close()
  return { cues }
}

function nameOf(rawName: string): string {
  return rawName.toLowerCase().replace(/^tt:/, '')
}

function readCue({ name, attributes, pieces }: OpenCue, format: XmlFormat): FoundCue {
  if (format === 'timedtext' && (name === 'p' || attributes.t !== undefined))
    return timedPieces(numberOf(attributes.t), numberOf(attributes.d), pieces)
  const tStart = timeOf(attributes.begin ?? attributes.start)
  if (tStart === null) return 'times cannot be read'
  const duration = timeOf(attributes.dur)
  const tEnd = timeOf(attributes.end) ?? (duration === null ? null : roundTime(tStart + duration))
  return { tStart, tEnd, text: plainText(pieces.map(({ raw }) => raw).join('')), anchors: [] }
}

/** A clock time, or seconds with or without their unit (TTML section 12.3.1, srv1). */
function timeOf(value: string | undefined): number | null {
  if (value === undefined) return null
  const [, number, unit] = /^(\d+(?:\.\d+)?)(s|ms)?$/.exec(value) ?? []
  if (number === undefined) return parseTimestamp(value)
  return secondsOf(Number(number), unit === 'ms' ? 1000 : 1)
}

function numberOf(value: string | undefined): number | undefined {
  return value !== undefined && /^\d+$/.test(value) ? Number(value) : undefined
}

import { Parser } from 'htmlparser2'
import { roundTime } from '#kit/round.ts'
import { joinPieces, parseTimestamp, severalWords, type FoundCue, type ParsedFile } from './cue.ts'
import { localAttributes, localName, maxDepth } from './parse-xml.ts'
import { primaryLanguage } from '../languages.ts'
import { Rejection } from '../rejection.ts'

/** How a document counts time (https://www.w3.org/TR/ttml2/#parameter-attribute-frameRate). */
interface Clock {
  framesPerS: number
  ticksPerS: number
}

/** An open element, with absolute times in seconds: those of its parent also apply to it. */
interface Element {
  name: string
  /** NaN if a time cannot be read. */
  begin: number
  end: number
  /** The start of the next child in a sequence; the children of other elements start with it. */
  next: number
  isSequence: boolean
  /** Whether the element or an ancestor has a time. */
  isTimed: boolean
  /** Whether it is the reading of a ruby, or not part of the text. */
  isHidden: boolean
  /** The language tag of its text. */
  language?: string | undefined
  /** The `<span>` inside the cue that has times for the text. */
  span?: Element
}

interface Piece {
  raw: string
  span?: Element | undefined
}

const root: Element = {
  name: '',
  begin: 0,
  end: Infinity,
  next: 0,
  isSequence: false,
  isTimed: false,
  isHidden: false,
}
const hiddenElements = new Set(['metadata', 'title', 'desc', 'copyright', 'agent', 'name', 'rt', 'rp'])
const hiddenRuby = new Set(['text', 'textcontainer', 'delimiter'])

/**
 * Parses TTML with any namespace prefixes: each `<p>` is a cue. Times may be clock times, offsets,
 * frames or ticks; they are relative to the parent, or in a sequence to the previous sibling
 * (https://www.w3.org/TR/ttml2/#timing). Spans of one word with times give word times; spans of
 * several words with times are separate cues. Of a document in several languages, only the cues in
 * the given one count.
 */
export function parseTtml(text: string, language: string): ParsedFile {
  const cues: { cue: FoundCue; tag?: string | undefined }[] = []
  const stack: Element[] = [root]
  const rubyStyles = new Set<string>()
  let clock: Clock = { framesPerS: 30, ticksPerS: 1 }
  let pieces: Piece[] | null = null

  const addText = (raw: string) => {
    const { isHidden, span } = stack.at(-1)!
    if (pieces === null || isHidden) return
    const last = pieces.at(-1)
    // The parser splits text at entities.
    if (last && last.span === span) last.raw += raw
    else pieces.push({ raw, span })
  }

  const parser = new Parser(
    {
      onopentag(rawName, rawAttributes) {
        if (stack.length > maxDepth)
          throw new Rejection(`has elements nested more than ${maxDepth} levels deep`)
        const name = localName(rawName)
        const attributes = localAttributes(rawAttributes)
        if (name === 'tt') clock = readClock(attributes)
        const isReading =
          hiddenRuby.has(attributes.ruby?.toLowerCase() ?? '') ||
          attributes.style?.split(/\s+/).some((id) => rubyStyles.has(id))
        if (name === 'style' && isReading && attributes.id) rubyStyles.add(attributes.id)
        if (name === 'br') addText('\n')
        const element = openElement(name, attributes, stack.at(-1)!, clock)
        element.isHidden ||= hiddenElements.has(name) || Boolean(isReading)
        stack.push(element)
        if (name === 'p') pieces = []
      },
      ontext(raw) {
        addText(raw.replace(/\s+/g, ' '))
      },
      onclosetag() {
        const element = stack.pop()!
        const parent = stack.at(-1)!
        if (Number.isFinite(element.end)) parent.next = element.end
        if (element.name !== 'p' || pieces === null) return
        cues.push(...readCues(element, pieces).map((cue) => ({ cue, tag: element.language })))
        pieces = null
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(text)
  const tags = new Set(cues.flatMap(({ tag }) => tag || []))
  const isOther = (tag = '') => (primaryLanguage(tag) ?? language) !== language
  if ([...tags].every(isOther)) {
    const [tag] = tags
    return { cues: cues.map(({ cue }) => cue), ...(tag && { metadata: { language: tag } }) }
  }
  return { cues: cues.map(({ cue, tag }) => (isOther(tag) ? 'in another language' : cue)) }
}

function readClock(attributes: Record<string, string>): Clock {
  const { framerate, frameratemultiplier = '1 1', subframerate = '1', tickrate } = attributes
  const [numerator, denominator = 1] = frameratemultiplier.split(/[\s:]+/).map(Number)
  const framesPerS = (Number(framerate ?? 30) * numerator!) / denominator || 30
  const ticksByFrames = framerate === undefined ? 1 : framesPerS * Number(subframerate)
  return { framesPerS, ticksPerS: Number(tickrate) || ticksByFrames || 1 }
}

function openElement(
  name: string,
  { begin, end, dur, timecontainer, lang }: Record<string, string>,
  parent: Element,
  clock: Clock,
): Element {
  const base = parent.isSequence ? parent.next : parent.begin
  const after = (time: string | undefined, from: number) =>
    time === undefined ? Infinity : roundTime(from + secondsOfTime(time, clock))
  const tStart = begin === undefined ? base : after(begin, base)
  const hasTime = begin !== undefined || end !== undefined || dur !== undefined
  const element: Element = {
    name,
    begin: tStart,
    end: Math.min(after(end, base), after(dur, tStart), parent.end),
    next: tStart,
    isSequence: timecontainer === 'seq',
    isTimed: hasTime || parent.isTimed,
    isHidden: parent.isHidden,
    language: lang ?? parent.language,
  }
  const span = name === 'span' && hasTime ? element : parent.span
  return span ? { ...element, span } : element
}

/** A clock time with a fraction or frames, or an offset with its unit; NaN if it is not a time. */
function secondsOfTime(value: string, { framesPerS, ticksPerS }: Clock): number {
  const [, number, unit = 's'] = /^(\d+(?:\.\d+)?)(h|m|s|ms|f|t)?$/.exec(value.trim()) ?? []
  if (number !== undefined) {
    const perS = { h: 1 / 3600, m: 1 / 60, s: 1, ms: 1000, f: framesPerS, t: ticksPerS }
    return Number(number) / perS[unit as keyof typeof perS]
  }
  const [, clock, frames] = /^(\d+:\d+:\d+)[:;](\d+(?:\.\d+)?)$/.exec(value.trim()) ?? []
  if (clock === undefined) return parseTimestamp(value.trim()) ?? NaN
  // A frame number beyond the rate is a fault, and its meaning is unknown.
  if (Number(frames) >= Math.ceil(framesPerS)) return NaN
  return (parseTimestamp(clock) ?? NaN) + Number(frames) / framesPerS
}

/** Returns the cue of a `<p>`, or the cues of its spans. */
function readCues(p: Element, pieces: readonly Piece[]): FoundCue[] {
  const timedPieces = pieces.filter((piece) => piece.span)
  const isAllTimed = pieces.every(({ raw, span }) => span || raw.trim() === '')
  if (timedPieces.length > 0 && isAllTimed && timedPieces.some(({ raw }) => severalWords.test(raw))) {
    const spans = Map.groupBy(timedPieces, ({ span }) => span!)
    return Array.from(spans, ([span, parts]) => {
      const untimedParts = parts.map(({ raw }) => ({ raw, time: null }))
      return readCue(span, untimedParts)
    })
  }
  const places = pieces.flatMap(({ raw, span }) => {
    const end = span && Number.isFinite(span.end) ? [{ raw: '', time: span.end }] : []
    return [{ raw, time: span && !Number.isNaN(span.begin) ? span.begin : null }, ...end]
  })
  if (timedPieces.length === 0 || p.isTimed) return [readCue(p, places)]
  const spans = timedPieces.map(({ span }) => span!)
  const begin = Math.min(...spans.map((span) => span.begin))
  const end = Math.max(...spans.map((span) => span.end))
  return [readCue({ ...p, begin, end, isTimed: true }, places)]
}

function readCue({ begin, end, isTimed }: Element, places: Parameters<typeof joinPieces>[0]): FoundCue {
  if (!isTimed) return 'no times'
  if (Number.isNaN(begin) || Number.isNaN(end)) return 'times cannot be read'
  return { tStart: begin, tEnd: Number.isFinite(end) ? end : null, ...joinPieces(places) }
}

import { levelRank, type Level } from '#contract/levels.ts'
import { occurrencesShown } from '#contract/word-clips.ts'
import type { Hit } from '#indexing/index-clip.ts'
import type { TokenisedCue } from '#indexing/tokenise.ts'
import { pieceOf, type ByteWriter, type Piece } from '#kit/byte-writer.ts'
import { isUnspaced } from '#language/unspaced.ts'
import { writeTimes, type CuesJson } from './cues-json.ts'

/** Writes the items of one clip for the lists of its words (`ListedClip`), as JSON. */
export class ItemWriter {
  readonly #cues: readonly TokenisedCue[]
  readonly #json: CuesJson
  /** By the level of a word: its items up to `occurrenceCount`. */
  readonly #openings: readonly Piece[]
  readonly #separator: string

  /** `shares` is the result of `sharesByLevel`; `json` holds the cues. */
  constructor(
    clip: { clipId: string; language: string },
    shares: readonly number[],
    cues: readonly TokenisedCue[],
    json: CuesJson,
  ) {
    this.#cues = cues
    this.#json = json
    this.#openings = shares.map((hundredths) =>
      pieceOf(`{"clip":"${clip.clipId}","knownShare":${hundredths / 100},"occurrenceCount":`),
    )
    this.#separator = isUnspaced(clip.language) ? '' : ' '
  }

  /** Appends the item of a word of a level. `hits` are in time order. */
  write(out: ByteWriter, wordLevel: Level, hits: readonly Hit[]): void {
    out.piece(this.#openings[levelRank(wordLevel)]!)
    out.decimal(hits.length)
    out.piece(beforeOccurrences)
    const shown = Math.min(hits.length, occurrencesShown)
    for (let i = 0; i < shown; i++) {
      if (i > 0) out.byte(comma)
      this.#writeOccurrence(out, hits[i]!)
    }
    out.piece(endOfItem)
  }

  #writeOccurrence(out: ByteWriter, { tStart, tEnd, cue, start, length }: Hit): void {
    out.byte(openBrace)
    if (length === 1) this.#json.copyTimes(out, cue, start)
    else writeTimes(out, tStart, tEnd)
    out.piece(beforeForm)
    if (length === 1) this.#json.copyToken(out, cue, start)
    else out.json(this.#phrase(cue, start, length))
    out.piece(beforeText)
    this.#json.copyText(out, cue)
    out.byte(closeBrace)
  }

  #phrase(cue: number, start: number, length: number): string {
    const tokens = this.#cues[cue]!.tokens.slice(start, start + length)
    return tokens.map(({ text }) => text).join(this.#separator)
  }
}

const beforeOccurrences = pieceOf(',"occurrences":[')
const beforeForm = pieceOf(',"form":')
const beforeText = pieceOf(',"text":')
const endOfItem = pieceOf(']}')
const comma = 44
const openBrace = 123
const closeBrace = 125

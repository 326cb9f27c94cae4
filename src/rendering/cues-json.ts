import type { Token, TokenisedCue } from '#indexing/tokenise.ts'
import { ByteWriter, pieceOf } from '#kit/byte-writer.ts'

/**
 * The cues of a clip as JSON, as its transcript shows them, and where their texts and times stand
 * in it. The items of lists are built from these bytes, because copying a text takes a tenth of the
 * time of writing it.
 */
export class CuesJson {
  readonly #out = new ByteWriter()
  /** By cue: where its text begins and ends. */
  readonly #texts: number[] = []
  /** By cue: how many tokens come before its first. */
  readonly #firstTokens: number[] = []
  /** By token: where its text begins and ends, and where the times behind it end. */
  readonly #tokens: number[] = []

  /** Writes the cues of a clip over those of the clip before. `wordIds` are by cue and token. */
  write(cues: readonly TokenisedCue[], wordIds: readonly number[][][]): void {
    this.#out.clear()
    this.#texts.length = 0
    this.#firstTokens.length = 0
    this.#tokens.length = 0
    this.#out.byte(openBracket)
    for (let c = 0; c < cues.length; c++) {
      if (c > 0) this.#out.byte(comma)
      this.#writeCue(cues[c]!, wordIds[c]!)
    }
    this.#out.byte(closeBracket)
  }

  /** Appends the array of the cues. */
  copyAll(to: ByteWriter): void {
    to.copy(this.#out.bytes, 0, this.#out.length)
  }

  /** Appends the text of a cue, in its quotes. */
  copyText(to: ByteWriter, cue: number): void {
    to.appendFrom(this.#out, this.#texts[cue * 2]!, this.#texts[cue * 2 + 1]!)
  }

  /** Appends the text of a token, in its quotes. */
  copyToken(to: ByteWriter, cue: number, token: number): void {
    const i = (this.#firstTokens[cue]! + token) * 3
    to.appendFrom(this.#out, this.#tokens[i]!, this.#tokens[i + 1]!)
  }

  /** Appends the times of a token: `"tStart":…,"tEnd":…`. */
  copyTimes(to: ByteWriter, cue: number, token: number): void {
    const i = (this.#firstTokens[cue]! + token) * 3
    to.appendFrom(this.#out, this.#tokens[i + 1]! + 1, this.#tokens[i + 2]!)
  }

  #writeCue({ tStart, tEnd, text, tokens }: TokenisedCue, wordIds: number[][]): void {
    const out = this.#out
    out.byte(openBrace)
    writeTimes(out, tStart, tEnd)
    out.piece(beforeText)
    this.#texts.push(out.length)
    out.json(text)
    this.#texts.push(out.length)
    out.piece(beforeWords)
    this.#firstTokens.push(this.#tokens.length / 3)
    for (let t = 0; t < tokens.length; t++) {
      if (t > 0) out.byte(comma)
      this.#writeToken(tokens[t]!, wordIds[t]!)
    }
    out.piece(endOfWords)
  }

  #writeToken({ text, tStart, tEnd }: Token, wordIds: readonly number[]): void {
    const out = this.#out
    out.piece(beforeTokenText)
    this.#tokens.push(out.length)
    out.json(text)
    this.#tokens.push(out.length)
    out.byte(comma)
    writeTimes(out, tStart, tEnd)
    this.#tokens.push(out.length)
    for (let i = 0; i < wordIds.length; i++) {
      if (i === 0) out.piece(beforeWordIds)
      else out.byte(comma)
      out.decimal(wordIds[i]!)
    }
    if (wordIds.length > 0) out.byte(closeBracket)
    out.byte(closeBrace)
  }
}

/** Appends `"tStart":…,"tEnd":…`, in seconds with at most 3 decimals. */
export function writeTimes(out: ByteWriter, tStart: number, tEnd: number): void {
  out.piece(beforeStart)
  out.thousandths(Math.round(tStart * 1000))
  out.piece(beforeEnd)
  out.thousandths(Math.round(tEnd * 1000))
}

const beforeStart = pieceOf('"tStart":')
const beforeEnd = pieceOf(',"tEnd":')
const beforeText = pieceOf(',"text":')
const beforeTokenText = pieceOf('{"text":')
const beforeWords = pieceOf(',"words":[')
const beforeWordIds = pieceOf(',"wordIds":[')
const endOfWords = pieceOf(']}')
const comma = 44
const openBracket = 91
const closeBracket = 93
const openBrace = 123
const closeBrace = 125

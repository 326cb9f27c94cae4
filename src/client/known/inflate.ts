/**
 * Decompression of raw DEFLATE (RFC 1951), because Node before 20.12 and some browsers decompress
 * only with a header. Names follow the RFC.
 */

const codeLengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
const lengths = codes(29, (i) => (i < 8 ? 0 : i === 28 ? 0 : (i - 4) >> 2), 3)
const distances = codes(30, (i) => (i < 4 ? 0 : (i - 2) >> 1), 1)
lengths.base[28] = 258

/** Returns the extra bits and the base of each code of a length or distance. */
function codes(count: number, extraBits: (code: number) => number, first: number) {
  const bits = Array.from({ length: count }, (_, i) => extraBits(i))
  let next = first
  const base = bits.map((extra) => (next += 2 ** extra) - 2 ** extra)
  return { bits, base }
}

/** A Huffman code: how many codes each length has, and the symbols in the order of their codes. */
interface Huffman {
  counts: number[]
  symbols: number[]
}

function huffman(codeLengths: readonly number[]): Huffman {
  const counts = Array.from({ length: 16 }, (_, length) => codeLengths.filter((l) => l === length).length)
  counts[0] = 0
  const symbols = codeLengths
    .map((length, symbol) => ({ length, symbol }))
    .filter(({ length }) => length > 0)
    .sort((a, b) => a.length - b.length || a.symbol - b.symbol)
    .map(({ symbol }) => symbol)
  return { counts, symbols }
}

const fixed = {
  literals: huffman(Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8))),
  distances: huffman(Array.from({ length: 30 }, () => 5)),
}

/** Returns the decompressed bytes. @throws {RangeError} the bytes are not raw DEFLATE */
export function inflate(bytes: Uint8Array): number[] {
  const input = new BitReader(bytes)
  const output: number[] = []
  for (let isFinal = false; !isFinal;) {
    isFinal = input.bits(1) === 1
    const type = input.bits(2)
    if (type === 0) copyStored(input, output)
    else if (type === 1) inflateBlock(input, output, fixed)
    else if (type === 2) inflateBlock(input, output, readCodes(input))
    else throw new RangeError('a compressed block has an unknown type')
  }
  return output
}

class BitReader {
  #bytes: Uint8Array
  #position = 0
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  bits(count: number): number {
    let value = 0
    for (let i = 0; i < count; i++) {
      const byte = this.#bytes[this.#position >> 3]
      if (byte === undefined) throw new RangeError('the compressed data ends too early')
      value |= ((byte >> (this.#position++ & 7)) & 1) << i
    }
    return value
  }

  skipToByte(): void {
    this.#position = (this.#position + 7) & ~7
  }

  symbol({ counts, symbols }: Huffman): number {
    let code = 0
    let first = 0
    let index = 0
    for (let length = 1; length < 16; length++) {
      code |= this.bits(1)
      const count = counts[length]!
      if (code - first < count) return symbols[index + code - first]!
      index += count
      first = (first + count) << 1
      code <<= 1
    }
    throw new RangeError('the compressed data contains an unknown code')
  }
}

function copyStored(input: BitReader, output: number[]): void {
  input.skipToByte()
  const length = input.bits(16)
  input.bits(16)
  for (let i = 0; i < length; i++) output.push(input.bits(8))
}

function readCodes(input: BitReader): typeof fixed {
  const literalCount = input.bits(5) + 257
  const distanceCount = input.bits(5) + 1
  const lengthCount = input.bits(4) + 4
  const codeLengths = Array.from({ length: 19 }, () => 0)
  for (const symbol of codeLengthOrder.slice(0, lengthCount)) codeLengths[symbol] = input.bits(3)
  const code = huffman(codeLengths)
  const all: number[] = []
  while (all.length < literalCount + distanceCount) {
    const symbol = input.symbol(code)
    const [value, repeats] =
      symbol < 16
        ? [symbol, 1]
        : symbol === 16
          ? [all.at(-1) ?? 0, 3 + input.bits(2)]
          : [0, symbol === 17 ? 3 + input.bits(3) : 11 + input.bits(7)]
    for (let i = 0; i < repeats; i++) all.push(value)
  }
  return {
    literals: huffman(all.slice(0, literalCount)),
    distances: huffman(all.slice(literalCount, literalCount + distanceCount)),
  }
}

function inflateBlock(input: BitReader, output: number[], block: typeof fixed): void {
  for (;;) {
    const symbol = input.symbol(block.literals)
    if (symbol === 256) return
    if (symbol < 256) {
      output.push(symbol)
      continue
    }
    const length = lengths.base[symbol - 257]! + input.bits(lengths.bits[symbol - 257]!)
    const code = input.symbol(block.distances)
    const distance = distances.base[code]! + input.bits(distances.bits[code]!)
    if (!(distance <= output.length)) throw new RangeError('the compressed data refers to nothing')
    for (let i = 0; i < length; i++) output.push(output.at(-distance)!)
  }
}

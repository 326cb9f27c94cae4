import { readFileSync, writeFileSync } from 'node:fs'

/** Changes a bit of a file: in the byte at this share of its length, by default in the last one. */
export function flipBit(path: string, share = 1): void {
  const bytes = readFileSync(path)
  bytes[Math.floor((bytes.length - 1) * share)]! ^= 1
  writeFileSync(path, bytes)
}

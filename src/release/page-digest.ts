import { sha256 } from '#kit/digest.ts'

/** The first 64 bits of the SHA-256 of a page of a list, or of a part of the sentence index. */
export interface PageDigest {
  high: number
  low: number
}

export function pageDigest(bytes: Uint8Array): PageDigest {
  return toPageDigest(sha256(bytes))
}

/** Takes the first 64 bits of a SHA-256 that is known. */
function toPageDigest(digest: Buffer): PageDigest {
  return { high: digest.readUInt32BE(0), low: digest.readUInt32BE(4) }
}

/** Whether these are the bytes of the page with this digest. */
export function isPage(bytes: Uint8Array, { high, low }: PageDigest): boolean {
  const found = pageDigest(bytes)
  return found.high === high && found.low === low
}

import type { DataFile } from './paths.ts'

/** A file of the tree, and what its bytes must be. */
export interface ExpectedFile {
  path: string
  /** The SHA-256 in hexadecimal, or its first characters. */
  digest: string
}

/** Returns what a file that a table names must be. */
export function fileOfTable({ path, digest }: DataFile): ExpectedFile {
  return { path, digest: Buffer.from(digest, 'base64url').toString('hex') }
}

/** Returns what a file must be whose name has its digest: the coverage record, an index file. */
export function fileOfName(path: string): ExpectedFile {
  return { path, digest: /[0-9a-f]{16}(?=\.json$)/.exec(path)![0] }
}

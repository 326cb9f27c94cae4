import type { DataFile } from './paths.ts'

/** A file of the tree, and the digest of its expected bytes. */
export interface ExpectedFile {
  path: string
  /** The SHA-256 in hexadecimal, or its first characters. */
  digest: string
}

/** Returns the expected file for a file that a table names. */
export function fileOfTable({ path, digest }: DataFile): ExpectedFile {
  return { path, digest: Buffer.from(digest, 'base64url').toString('hex') }
}

/** Returns the expected file for a name that contains its digest: coverage or index. */
export function fileOfName(path: string): ExpectedFile {
  return { path, digest: /[0-9a-f]{16}(?=\.json$)/.exec(path)![0] }
}

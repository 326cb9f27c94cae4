import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isNotFound } from '#kit/is-not-found.ts'

/** A published file that a build builds on does not hold what its name says. */
export class CorruptList extends Error {
  override name = 'CorruptList'
}

export function corruptList(path: string): CorruptList {
  return new CorruptList(`"${path}" does not hold what its name says`)
}

/** The bytes of a published file. @throws {CorruptList} it is missing */
export function readPublished(outFolder: string, path: string): Buffer {
  try {
    return readFileSync(join(outFolder, path))
  } catch (error) {
    throw isNotFound(error) ? corruptList(path) : error
  }
}

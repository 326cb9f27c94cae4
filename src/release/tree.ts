import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A published tree to read from. */
export interface Tree {
  /** Where it is, for messages. */
  location: string
  /** How often it is worth looking whether another release is current, in milliseconds. */
  followEveryMs: number
  /**
   * The bytes of a file, by its path from the root.
   *
   * @throws {MissingFile} when the tree has no such file
   * @throws {Error} when it cannot be read
   */
  read(path: string): Promise<Buffer>
}

/** The tree has no such file. */
export class MissingFile extends Error {
  override name = 'MissingFile'
}

/** A tree in a folder of this machine. */
export function folderTree(folder: string): Tree {
  return {
    location: folder,
    followEveryMs: 1_000,
    async read(path) {
      try {
        return await readFile(join(folder, path))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT')
          throw new MissingFile(`no file "${path}" in "${folder}"`)
        throw error
      }
    },
  }
}

/** How long a CDN may take to answer. */
const fetchTimeoutMs = 10_000

/** A tree behind a CDN. `token` is sent as a bearer credential. @throws {TypeError} when the address is not one to send it to */
export function cdnTree(address: string, token: string | undefined): Tree {
  const root = new URL(address.endsWith('/') ? address : `${address}/`)
  const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(root.hostname)
  if (root.protocol !== 'https:' && !loopback)
    throw new TypeError(`cannot read a tree from "${address}": the address must begin with https://`)
  return {
    location: root.href,
    // As long as a CDN may keep the pointer (contract 3).
    followEveryMs: 60_000,
    async read(path) {
      const response = await fetchFrom(root, path, {
        headers: token ? { authorization: `Bearer ${token}` } : {},
        signal: AbortSignal.timeout(fetchTimeoutMs),
        redirect: 'error',
      })
      if (response.status === 404) throw new MissingFile(`no file "${path}" at "${root.href}"`)
      if (!response.ok)
        throw new Error(`cannot read "${path}" from "${root.href}": it answers ${response.status}`)
      return Buffer.from(await response.arrayBuffer())
    },
  }
}

/** @throws {Error} with the reason that fetch keeps to itself */
async function fetchFrom(root: URL, path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(new URL(path, root), init)
  } catch (error) {
    const { message, cause } = error as Error
    const reason = cause instanceof Error && cause.message !== '' ? cause.message : message
    throw new Error(`cannot read "${path}" from "${root.href}": ${reason}`, { cause: error })
  }
}

/** The tree that `--data` names: a folder, or the address of a CDN. */
export function openTree(data: string, token: string | undefined): Tree {
  return /^https?:\/\//.test(data) ? cdnTree(data, token) : folderTree(data)
}

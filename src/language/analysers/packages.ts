import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname } from 'node:path'

/** The folder of an installed package; null if it is not installed. */
export function packageFolder(name: string): string | null {
  const path = findManifest(name)
  return path === null ? null : dirname(path)
}

/** The version of an installed package; null if it is not installed. */
export function packageVersion(name: string): string | null {
  const path = findManifest(name)
  return path === null ? null : (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version
}

function findManifest(name: string): string | null {
  try {
    return findPackageJSON(name, import.meta.url) ?? null
  } catch {
    return null
  }
}

import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname } from 'node:path'

/** The folder and the version of an installed package; null if it is not installed. */
export function installedPackage(name: string): { folder: string; version: string } | null {
  try {
    const path = findPackageJSON(name, import.meta.url)!
    const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string }
    return { folder: dirname(path), version }
  } catch {
    return null
  }
}

import { sha256 } from '#kit/digest.ts'
import type { Manifest } from './manifest.ts'

/** What a release says. */
export interface Content extends Pick<Manifest, 'tables' | 'ordinals'> {
  /** The bytes of the coverage record. */
  coverage: string
  /** The value of `report.json`. */
  report: unknown
}

/** SHA-256 (hex) over all that a release says (FORMAT.md, "manifest.json"): two releases of the same content are one. */
export function contentDigest({ tables, coverage, ordinals, report }: Content): string {
  const parts = [
    tables['clips.bin'],
    tables['words.bin'],
    tables['search.bin'],
    coverage,
    JSON.stringify(ordinals),
    JSON.stringify(report),
  ]
  return sha256(parts.join('\0')).toString('hex')
}

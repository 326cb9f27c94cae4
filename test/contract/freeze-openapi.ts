/**
 * Freezes the OpenAPI document of a version when it is released, without its prose. Tests fail if
 * a later document would break callers of it.
 *
 *     node test/contract/freeze-openapi.ts
 *
 * writes `test/contract/released-openapi.json`. It refuses if callers of the version before would
 * break.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import packageInfo from '../../package.json' with { type: 'json' }
import { openApiDocument } from '#contract/openapi.ts'
import { breakingChanges, type OpenApi } from './breaking-changes.ts'

const path = join(import.meta.dirname, 'released-openapi.json')

/** A released version of the project, with its OpenAPI document. */
type Released = { version: string; document: OpenApi }

/** Returns the document of the last released version. */
export function readReleased(): Released {
  return JSON.parse(readFileSync(path, 'utf8')) as Released
}

/** Returns the document of this version, without descriptions and examples. */
export function currentDocument(): OpenApi {
  const isProse = (key: string, value: unknown) =>
    key === 'example' || (/^(description|summary|tags)$/.test(key) && typeof value !== 'object')
  const text = JSON.stringify(openApiDocument(), (key, value: unknown) =>
    isProse(key, value) ? undefined : value,
  )
  return JSON.parse(text) as OpenApi
}

if (import.meta.main) {
  const document = currentDocument()
  const faults = existsSync(path) ? breakingChanges(readReleased().document, document) : []
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  if (faults.length > 0) process.exitCode = 1
  else writeFileSync(path, JSON.stringify({ version: packageInfo.version, document }, null, 1) + '\n')
}

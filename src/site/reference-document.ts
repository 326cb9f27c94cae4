import { openApiDocument } from '#contract/openapi.ts'
import { operations } from '#contract/operations.ts'
import type { Recording } from './site-input.ts'

/** The parts of an operation that an example goes into. */
interface Documented {
  parameters?: { name: string; schema?: { example?: unknown }; example?: unknown }[]
  responses: Record<string, { content?: Record<string, { example?: unknown }> }>
}

/** The OpenAPI document with real records as examples: the first recording of each operation. */
export function referenceDocument(recordings: readonly Recording[], siteUrl: string): object {
  const document = structuredClone(openApiDocument()) as {
    servers: { url: string }[]
    paths: Record<string, { get: Documented }>
  }
  document.servers = [{ url: new URL('/v1', siteUrl).href }]
  for (const { id, path } of operations) {
    const recording = recordings.find(({ operation }) => operation === id)
    if (!recording || id === 'getOpenApi') continue
    const documented = document.paths[path]!.get
    documented.responses['200']!.content!['application/json']!.example = recording.body
    for (const parameter of documented.parameters ?? []) {
      const value = recording.parameters[parameter.name]
      if (value !== undefined) parameter.example = value
    }
  }
  return document
}

import type { Corpus } from '#contract/corpus.ts'
import { toDate } from '#contract/dates.ts'
import { openApiDocument } from '#contract/openapi.ts'
import { toUsage } from '#metering/usage.ts'
import { jsonBody, type Body } from '../http/body.ts'
import type { Handler } from '../http/handler.ts'

/** The records about the service itself. */

/** GET /corpus (contract 1.5). */
export const corpus: Handler<object> = {
  answer(_, { release: { manifest, coverage } }) {
    const { release, builtAtMs } = manifest
    return jsonBody({ release, builtAt: toDate(builtAtMs), ...coverage } satisfies Corpus)
  },
}

/** GET /usage (spec 4.4). */
export const usage: Handler<object> = {
  answer: (_, { client }) => jsonBody(toUsage(client!.quota!)),
  isRepeatable: () => false,
  needsNoRelease: true,
}

/** The documents by the address of the site, created when they are first requested. */
const documents = new Map<string | null, Body>()

/** GET /openapi.json. */
export const openApi: Handler<object> = {
  answer: (_, { siteUrl }) =>
    documents.getOrInsertComputed(siteUrl, () => jsonBody(openApiDocument(siteUrl ?? ''))),
  isRepeatable: () => false,
  needsNoRelease: true,
}

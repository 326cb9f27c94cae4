import { openApiDocument } from '#contract/openapi.ts'
import { jsonBody, type Body } from '../http/body.ts'
import type { Handler } from '../http/handler.ts'

/** By the address of the site: made when the document is first asked for. */
const bodies = new Map<string | null, Body>()

/** GET /openapi.json. */
export const openApi: Handler<object> = {
  answer: (_, { siteUrl }) =>
    bodies.getOrInsertComputed(siteUrl, () => jsonBody(openApiDocument(siteUrl ?? ''))),
  isRepeatable: () => false,
  needsNoRelease: true,
}

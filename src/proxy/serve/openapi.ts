import { openApiDocument } from '#contract/openapi.ts'
import { shortDigest } from '#kit/digest.ts'
import { cachedBody } from '../http/body.ts'
import type { Answer } from '../http/handler.ts'

/** GET /openapi.json. The document is made once, when the proxy starts. */
export function prepareOpenApi(): () => Answer {
  const identity = Buffer.from(JSON.stringify(openApiDocument()))
  const answer: Answer = { body: cachedBody(identity), digest: shortDigest(identity) }
  return () => answer
}

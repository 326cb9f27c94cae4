import { openApiDocument } from '#contract/openapi.ts'
import { shortDigest } from '#kit/digest.ts'
import { jsonBody, type Answer } from '../handler.ts'

/** GET /openapi.json: made once, when the proxy starts. */
export function prepareOpenApi(): () => Answer {
  const identity = jsonBody(JSON.stringify(openApiDocument()))
  const answer: Answer = { body: { identity, coded: new Map() }, digest: shortDigest(identity) }
  return () => answer
}

import { openApiDocument } from '#contract/openapi.ts'
import { shortDigest } from '#kit/digest.ts'
import { cachedBody } from '../http/body.ts'
import type { Answer } from '../http/handler.ts'

let answer: Answer | undefined

/** GET /openapi.json. The document is made once in a process, when its first proxy starts. */
export function prepareOpenApi(): () => Answer {
  if (!answer) {
    const identity = Buffer.from(JSON.stringify(openApiDocument()))
    answer = { body: cachedBody(identity), digest: shortDigest(identity) }
  }
  const prepared = answer
  return () => prepared
}

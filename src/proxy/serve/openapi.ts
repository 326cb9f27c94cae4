import { openApiDocument } from '#contract/openapi.ts'
import { jsonBody, type Body } from '../http/body.ts'
import type { Handler } from '../http/handler.ts'

let body: Body | undefined

/** GET /openapi.json. The document is made once in a process, when it is first asked for. */
export const openApi: Handler<object> = {
  answer: () => (body ??= jsonBody(openApiDocument())),
  isRepeatable: () => false,
  needsNoRelease: true,
}

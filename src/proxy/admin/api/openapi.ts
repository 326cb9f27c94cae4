import { z } from 'zod'
import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi'
import { adminOperations, type AdminOperation } from './operations.ts'

/** The path of the admin API on the admin listener. */
export const adminBase = '/admin/v1'

export const adminErrorSchema = z.strictObject({
  error: z.strictObject({
    code: z.enum([
      'bad_request',
      'invalid_token',
      'not_found',
      'method_not_allowed',
      'refused',
      'internal',
      'unavailable',
    ]),
    message: z.string(),
  }),
})

/** Returns the OpenAPI 3.1 document of the admin API, which is generated from its table. */
export function adminOpenApi() {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const row of adminOperations) (paths[row.path] ??= {})[row.method.toLowerCase()] = toObject(row)
  return createDocument({
    openapi: '3.1.1',
    info: {
      title: 'Clip Lookup admin API',
      version: '1.0.0',
      description: 'Accounts, keys and usage, on the admin listener of a proxy.',
    },
    servers: [{ url: adminBase }],
    security: [{ token: [] }],
    paths: paths as ZodOpenApiPathsObject,
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  })
}

function toObject({ path, summary, body, query, record, status = 200 }: AdminOperation) {
  const content = (schema: z.ZodType) => ({ 'application/json': { schema } })
  const parameterName = /\{(\w+)\}/.exec(path)?.[1]
  return {
    summary,
    requestParams: {
      path: z.object(parameterName === undefined ? {} : { [parameterName]: z.string() }),
      ...(query && { query }),
    },
    ...(body && { requestBody: { required: true, content: content(body) } }),
    responses: {
      [String(status)]: { description: summary, content: content(record) },
      default: { description: 'What was wrong.', content: content(adminErrorSchema) },
    },
  }
}

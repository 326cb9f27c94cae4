import type { APIRoute, GetStaticPaths } from 'astro'
import { z } from 'zod'
import { fileSchemas } from '#contract/files.ts'

export const getStaticPaths: GetStaticPaths = () =>
  Object.entries(fileSchemas).map(([name, schema]) => ({ params: { name }, props: { schema } }))

/** The JSON Schema of a published file. */
export const GET: APIRoute = ({ props }) =>
  Response.json(z.toJSONSchema((props as { schema: z.ZodType }).schema))

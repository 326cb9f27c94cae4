import type { APIRoute } from 'astro'
import { describeOperations } from '#components/console/describe-operations.ts'
import { siteInput } from '#site/site-input.ts'

/** What the console works with: the operations, and the recorded answers of its sample mode. */
export const GET: APIRoute = () =>
  Response.json({
    operations: describeOperations(),
    recordings: siteInput().recordings,
    refusals: siteInput().refusals.filter(({ status }) => status === 400),
  })

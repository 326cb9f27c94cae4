import type { APIRoute } from 'astro'
import { siteInput } from '#site/build/site-input.ts'

/** Returns the recorded responses that the console shows without a key. */
export const GET: APIRoute = () => {
  const { recordings, refusals } = siteInput()
  return Response.json({ recordings, refusals: refusals.filter(({ status }) => status === 400) })
}

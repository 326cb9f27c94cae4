import type { Operation } from '#contract/operations.ts'

/** The cost of a request, in the words of the guides. */
export const costs: Record<Operation['cost'], string> = {
  lookup: '1 look-up',
  window: 'Free, within the rate limit',
  nothing: 'Free',
}

/** Returns the address of an operation's reference page. */
export function referencePath(id: string): string {
  return `/reference/operations/${id.toLowerCase()}/`
}

import type { Operation } from '#contract/operations.ts'

/** What a request costs, in the words of the guides. */
export const costs: Record<Operation['cost'], string> = {
  lookup: '1 look-up from your quota',
  window: 'No quota',
  nothing: 'Nothing',
}

/** The address of an operation's reference page. */
export function referencePath(id: string): string {
  return `/reference/operations/${id.toLowerCase()}/`
}

import { readFileSync } from 'node:fs'
import type { Corpus } from '#contract/corpus.ts'
import type { OperationId } from '#contract/operations.ts'
import type { Plan } from '#contract/plans.ts'
import type { readGrowth } from './growth.ts'

/** An answer of the service, recorded when the site was built. */
export interface RecordedAnswer {
  operation: OperationId
  /** By name: what was given in the path and in the query. */
  parameters: Record<string, string>
  /** Path and query, from `/v1` on. */
  target: string
  status: number
  headers: Record<string, string>
  body: unknown
}

/** An answer to show, with a title to choose it by. */
export interface Recording extends RecordedAnswer {
  title: string
}

/** What the site says of its operator: addresses, or null. */
export interface Operator {
  contact: string | null
  termsUrl: string | null
  statusUrl: string | null
  /** Where `index.json` is, for everybody. */
  filesUrl: string | null
}

/** A command and its options, as the page of the commands shows them. */
export interface CommandLine {
  name: string
  positionals?: string | undefined
  summary: string
  details?: string | undefined
  options: {
    name: string
    value?: string | undefined
    description: string
    default?: string | undefined
    multiple?: boolean | undefined
    required?: boolean | undefined
    environment: string
  }[]
}

/** All that the pages know of the world: made by the build, read by Astro. */
export interface SiteInput {
  /** Where Astro writes, and where it may leave what it works with. */
  folders: { out: string; cache: string }
  /** Where the site will be found: for the addresses of cards and in examples. */
  siteUrl: string
  corpus: Corpus
  growth: Awaited<ReturnType<typeof readGrowth>>
  /** Null where the operator has set none: the numbers of the others are placeholders. */
  plans: readonly Plan[] | null
  operator: Operator
  commands: CommandLine[]
  recordings: Recording[]
  /**
   * Recorded errors: several of each operation, and at least one of each kind that can be recorded.
   */
  refusals: RecordedAnswer[]
}

/** The environment variable that names the file of the input to Astro. */
export const siteInputVariable = 'CLIP_LOOKUP_SITE_INPUT'

let cachedInput: SiteInput | undefined

/** The input of the site that is being built. @throws {Error} outside of such a build */
export function siteInput(): SiteInput {
  // oxlint-disable-next-line node/no-process-env
  const path = process.env[siteInputVariable]
  if (path === undefined)
    throw new Error(`the pages are built by "npm run site": ${siteInputVariable} is not set`)
  return (cachedInput ??= JSON.parse(readFileSync(path, 'utf8')) as SiteInput)
}

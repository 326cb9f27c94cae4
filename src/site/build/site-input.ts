import { readFileSync } from 'node:fs'
import type { Corpus } from '#contract/corpus.ts'
import type { OperationId } from '#contract/operations.ts'
import type { Plan } from '#contract/plans.ts'
import type { readGrowth } from './growth.ts'

/** A response that was recorded when the site was built. */
export interface RecordedAnswer {
  operation: OperationId
  /** The parameters in the path and the query, keyed by name. */
  parameters: Record<string, string>
  /** The path and the query, starting with `/v1`. */
  target: string
  status: number
  headers: Record<string, string>
  body: unknown
}

/** A recorded response with the title that the pages show for it. */
export interface Recording extends RecordedAnswer {
  title: string
}

/** The operator's addresses, as shown on the site; null if not set. */
export interface Operator {
  contact: string | null
  termsUrl: string | null
  sourceUrl: string | null
  statusUrl: string | null
  /** The public address of the tree, where `index.json` is. */
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

/** The input of the pages, which the build writes and Astro reads. */
export interface SiteInput {
  /** Astro's folders for output and temporary files. */
  folders: { out: string; cache: string }
  /** The site's public address, for social cards and examples. */
  siteUrl: string
  /** Whether the clips are samples, which are embedded from this site and all have a preview. */
  isSample: boolean
  corpus: Corpus
  growth: Awaited<ReturnType<typeof readGrowth>>
  /** Null if the operator has not set any, because the defaults are placeholders. */
  plans: readonly Plan[] | null
  operator: Operator
  commands: CommandLine[]
  recordings: Recording[]
  /** Recorded errors: several for each operation, and at least one with each code. */
  refusals: RecordedAnswer[]
}

/** The environment variable with the path of the input file. */
export const siteInputVariable = 'CLIP_LOOKUP_SITE_INPUT'

let cachedInput: SiteInput | undefined

/** Returns the input of the current build. @throws {Error} no build is running */
export function siteInput(): SiteInput {
  // oxlint-disable-next-line node/no-process-env
  const path = process.env[siteInputVariable]
  if (path === undefined)
    throw new Error(`the pages are built by "npm run site": ${siteInputVariable} is not set`)
  return (cachedInput ??= JSON.parse(readFileSync(path, 'utf8')) as SiteInput)
}

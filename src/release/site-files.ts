import { z } from 'zod'
import { sha256 } from '#kit/digest.ts'
import { currentVersion, type StoredFormat } from '#kit/stored-format.ts'
import { parseVersioned } from './manifest.ts'
import { privateFolder } from './paths.ts'

/** The longest `Content-Security-Policy`: by default, nginx allows 4 KB for a whole head. */
export const policyMaxLength = 2000

/** The folder of the site in the tree, and the list of its files. */
export const sitePath = 'site'
export const siteFilesPath = `${sitePath}/files.json`

const policySchema = z
  .string()
  .regex(/^[\x20-\x7e]*$/)
  .max(policyMaxLength)

type Fields = Record<string, unknown>

/** The list of the files of the site. A program that cannot read its version serves no site. */
const siteFormat: StoredFormat<(fields: Fields) => Fields> = {
  firstVersion: 1,
  migrations: [],
  adviceForOld: 'The next build makes a new site',
}

const siteFilesSchema = z.strictObject({
  format: z.literal('clip-lookup site'),
  version: z.literal(currentVersion(siteFormat)),
  /** The release whose numbers and records the site shows. */
  release: z.string(),
  /** The public address for which it was built, without a path. */
  url: z.string().regex(/^https?:\/\/[^/]+$/),
  /** A digest of the site's inputs. A build with the same inputs skips the site. */
  source: z.string(),
  /**
   * The `Content-Security-Policy` of every page that is not in `policies`. It is short enough for
   * any server in front of the service.
   */
  policy: policySchema,
  /** The policies of pages that embed clips, or that others embed, keyed by path. */
  policies: z.record(z.string(), policySchema),
  /** The module in the tree that renders pages for a request. It is not published. */
  server: z.string().startsWith(`${privateFolder}/`),
  /** Keyed by path in the folder of the site. */
  files: z.record(z.string(), z.strictObject({ digest: z.string(), sizeBytes: z.int().min(0) })),
})
/** The content of a published site. */
export type SiteFiles = z.infer<typeof siteFilesSchema>

export function newSiteFiles(fields: Omit<SiteFiles, 'format' | 'version'>): SiteFiles {
  return { format: 'clip-lookup site', version: currentVersion(siteFormat), ...fields }
}

/** @throws {SyntaxError} it is malformed, or has a version that this program does not read */
export function parseSiteFiles(text: string): SiteFiles {
  return parseVersioned(text, siteFilesPath, siteFilesSchema, siteFormat)
}

/** Returns the digest of a file of the site, which is also its entity tag. */
export function siteDigest(bytes: Buffer): string {
  return sha256(bytes).toString('base64url').slice(0, 22)
}

import { z } from 'zod'
import { sha256 } from '#kit/digest.ts'
import { currentVersion, migrationsFrom, type StoredFormat } from '#kit/stored-format.ts'
import { dataForms, releasePath, type ReleaseFile, type TableFile } from './paths.ts'
import { releaseFormat } from './release-format.ts'
import { releaseIdForm } from './release-ids.ts'

export const formatVersion = currentVersion(releaseFormat)

/** SHA-256 in hexadecimal. */
const digestSchema = z.string().regex(/^[0-9a-f]{64}$/)
const indexPath = z.string().regex(dataForms.index)
const language = z.string().regex(/^[a-z]{2}$/)
const manifestSchema = z.strictObject({
  format: z.literal('clip-lookup release'),
  version: z.literal(formatVersion),
  release: z.string().regex(releaseIdForm),
  /** The tree that the release belongs to. Cursors of another tree are refused. */
  tree: z.string(),
  /** The last releases before it, oldest first, each built from the previous, for `/changes`. */
  history: z.array(z.strictObject({ release: z.string().regex(releaseIdForm), changes: digestSchema })),
  builtAtMs: z.int(),
  /** SHA-256 of the whole content. Releases with the same content are the same. */
  content: z.string(),
  /** The number of ordinals that were ever assigned, keyed by language. */
  ordinals: z.record(z.string(), z.int()),
  /** The coverage record under `data/`. */
  corpus: z.string().regex(dataForms.corpus),
  /** The files under `data/index/`, by word id and by ordinal, keyed by language. */
  index: z.record(language, z.strictObject({ words: z.array(indexPath), clips: z.array(indexPath) })),
  /** The segments of the sentence index, under `data/sentences/`. */
  sentences: z.array(
    z.strictObject({
      language,
      firstOrdinal: z.int().min(0),
      /** SHA-256 (hex) of the head, which contains the digests of the parts. It names all files. */
      digest: digestSchema,
      parts: z.int().min(0),
      clips: z.int(),
      tokens: z.int(),
    }),
  ),
  /** SHA-256 of the files beside the manifest. */
  files: z.strictObject({
    'clips.bin': digestSchema,
    'words.bin': digestSchema,
    'spellings.bin': digestSchema,
    'changes.json': digestSchema,
    'clips.delta': digestSchema.optional(),
    'words.delta': digestSchema.optional(),
    'spellings.delta': digestSchema.optional(),
  }),
  /** SHA-256 of the manifest without this field, as JSON. */
  digest: z.string(),
})
export type Manifest = z.infer<typeof manifestSchema>

export function newManifest(fields: Omit<Manifest, 'format' | 'version' | 'digest'>): Manifest {
  const manifest = { format: 'clip-lookup release', version: formatVersion, ...fields } as const
  return { ...manifest, digest: digestOf(manifest) }
}

/** The files of a release, as names in its folder. */
export function filesOf({ files }: Manifest): ReleaseFile[] {
  return ['manifest.json', ...(Object.keys(files) as ReleaseFile[])]
}

/** A delta, and the table of another release that it starts from. */
export interface TableDelta {
  path: string
  /** SHA-256 in hexadecimal. */
  digest: string
  basePath: string
}

export function deltaName(table: TableFile) {
  return table.replace('.bin', '.delta') as 'clips.delta' | 'words.delta' | 'spellings.delta'
}

/**
 * Returns the delta that leads to a table from that of the previous release; null if there is none.
 */
export function deltaOf({ release, history, files }: Manifest, table: TableFile): TableDelta | null {
  const name = deltaName(table)
  const digest = files[name]
  const before = history.at(-1)
  if (digest === undefined || before === undefined) return null
  return { path: releasePath(release, name), digest, basePath: releasePath(before.release, table) }
}

function digestOf(manifest: object): string {
  return sha256(JSON.stringify(manifest)).toString('hex')
}

/**
 * Parses a release's manifest.
 *
 * @throws {SyntaxError} as `parseVersioned`, or it was altered
 */
export function parseManifest(text: string, path: string): Manifest {
  const migrations = releaseFormat.migrations.map(({ manifest }) => manifest)
  const manifest = parseVersioned(text, path, manifestSchema, { ...releaseFormat, migrations })
  // The fields as they were written, before migrations.
  const { digest, ...fields } = JSON.parse(text) as { digest: string }
  const actualDigest = digestOf(fields)
  if (actualDigest === digest) return manifest
  throw new SyntaxError(
    `cannot open "${path}": it states the digest ${digest}, but its fields have the digest ${actualDigest}`,
  )
}

type Fields = Record<string, unknown>
type Versioned = z.ZodObject<{ format: z.ZodLiteral<string>; version: z.ZodLiteral<number> }>

/**
 * Parses a file that states its format and version, and migrates it.
 *
 * @throws {SyntaxError} it is malformed
 * @throws {UnreadableVersion} it has a version that this program does not read
 */
export function parseVersioned<Schema extends Versioned>(
  text: string,
  path: string,
  schema: Schema,
  storedFormat: StoredFormat<(fields: Fields) => Fields>,
): z.infer<Schema> {
  const { format } = schema.shape
  const fields = parseJson(text, path) as Fields | null
  if (fields?.format !== format.value)
    throw new SyntaxError(`cannot open "${path}": it is not a file of the format "${format.value}"`)
  const migrations = migrationsFrom(storedFormat, fields.version, `cannot open "${path}": it`)
  const newFields = migrations.reduce((before, migrate) => migrate(before), fields)
  const result = schema.safeParse({ ...newFields, version: currentVersion(storedFormat) })
  if (result.success) return result.data
  throw new SyntaxError(`cannot open "${path}": ${z.prettifyError(result.error)}`)
}

const pointerSchema = z.object({
  release: z.string().regex(/^[\w-]+$/),
  /** The start of the rollback that holds the release in service, if there is one. */
  rollbackSince: z.iso.datetime().optional(),
})
export type Pointer = z.infer<typeof pointerSchema>

/** Parses `current.json`, the pointer to the release in service. @throws {SyntaxError} */
export function parsePointer(text: string, path: string): Pointer {
  const result = pointerSchema.safeParse(parseJson(text, path))
  if (!result.success) throw new SyntaxError(`cannot read "${path}": it must be {"release": "<id>"}`)
  return result.data
}

/** Parses `current.json`: the id of the release in service. @throws {SyntaxError} */
export function parseCurrent(text: string, path: string): string {
  return parsePointer(text, path).release
}

/** @throws {SyntaxError} it is not JSON */
function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new SyntaxError(`cannot read "${path}": it is not valid JSON: ${(error as Error).message}`)
  }
}

import { z } from 'zod'
import { sha256 } from '#kit/digest.ts'
import { parseDataPath, type DataPath } from './data-path.ts'
import { releaseIdForm } from './release-ids.ts'

/** Raised when the format of a release changes; an older reader then refuses it. */
export const formatVersion = 2
const formatName = 'clip-lookup release'

/** SHA-256 in hexadecimal. */
const digestSchema = z.string().regex(/^[0-9a-f]{64}$/)
const language = z.string().regex(/^[a-z]{2}$/)
/** The path of a file under `data/`: an origin that names others must not lead anybody there. */
const dataPath = (kind: DataPath['kind']) =>
  z.string().refine((path) => parseDataPath(path)?.kind === kind, `no path of a file of this kind: ${kind}`)

const manifestSchema = z.strictObject({
  format: z.literal(formatName),
  version: z.literal(formatVersion),
  release: z.string().regex(releaseIdForm),
  /** The tree that the release belongs to. Cursors of another are refused. */
  tree: z.string(),
  /**
   * The last releases before it, oldest first, each built from the one before it: what `/changes`
   * is answered from.
   */
  history: z.array(z.strictObject({ release: z.string().regex(releaseIdForm), changes: digestSchema })),
  /** Milliseconds since the epoch. */
  builtAtMs: z.int(),
  /** SHA-256 over all that the release says. Releases with the same content are the same. */
  content: z.string(),
  /** By language, how many ordinals were ever given. */
  ordinals: z.record(z.string(), z.int()),
  /** The coverage record under `data/`. */
  corpus: dataPath('corpus'),
  /** By language, the files under `data/index/`, by word id and by ordinal. */
  index: z.record(
    language,
    z.strictObject({ words: z.array(dataPath('index')), clips: z.array(dataPath('index')) }),
  ),
  /** The segments of the sentence index, under `data/sentences/`. */
  sentences: z.array(
    z.strictObject({
      language,
      firstOrdinal: z.int().min(0),
      /** SHA-256 (hex) of the head, which has the digests of the parts. It names all files. */
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
  }),
  /** SHA-256 of the manifest without this field, as JSON. */
  digest: z.string(),
})
export type Manifest = z.infer<typeof manifestSchema>

export function newManifest(fields: Omit<Manifest, 'format' | 'version' | 'digest'>): Manifest {
  const manifest = { format: formatName, version: formatVersion, ...fields } as const
  return { ...manifest, digest: digestOf(manifest) }
}

function digestOf(manifest: object): string {
  return sha256(JSON.stringify(manifest)).toString('hex')
}

/**
 * Parses the manifest of a release.
 *
 * @throws {SyntaxError} it is malformed, or of another format version (both versions are in the
 *   message)
 */
export function parseManifest(text: string, path: string): Manifest {
  const value = parseJson(text, path) as { format?: unknown; version?: unknown } | null
  if (value?.format !== formatName)
    throw new SyntaxError(`cannot open "${path}": it is not the manifest of a release`)
  if (value.version !== formatVersion) {
    throw new SyntaxError(
      `cannot open "${path}": it has format version ${String(value.version)}, this program reads version ${formatVersion}`,
    )
  }
  const result = manifestSchema.safeParse(value)
  if (!result.success) throw new SyntaxError(`cannot open "${path}": ${z.prettifyError(result.error)}`)
  const { digest, ...rest } = value as Manifest
  const found = digestOf(rest)
  if (found !== digest)
    throw new SyntaxError(`cannot open "${path}": its digest is ${digest}, that of its fields is ${found}`)
  return result.data
}

const currentSchema = z.object({ release: z.string().regex(/^[\w-]+$/) })

/** Parses `current.json`, the pointer: the id of the release in service. @throws {SyntaxError} */
export function parseCurrent(text: string, path: string): string {
  const result = currentSchema.safeParse(parseJson(text, path))
  if (!result.success) throw new SyntaxError(`cannot read "${path}": it must be {"release": "<id>"}`)
  return result.data.release
}

/** @throws {SyntaxError} it is not JSON */
export function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new SyntaxError(`cannot read "${path}": not JSON (${(error as Error).message})`)
  }
}

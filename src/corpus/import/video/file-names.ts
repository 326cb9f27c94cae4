import { basename, dirname, join } from 'node:path'
import { foldBlanks } from '../formats/clean-text.ts'
import { codeOfTag } from '../languages.ts'
import { dropMissing, type Metadata } from './metadata.ts'

/**
 * A language tag at the end of a name without its extension, and the kind of subtitles that players
 * expect after it: `abc.en`, `abc.zh-Hans`, `abc.en.sdh`, `abc.es[cc]`.
 */
const trailingTag =
  /^(.+?)\.([a-z]{2,3}(?:[-_][A-Za-z0-9_-]{1,16})?)(?:\.(?:forced|sdh|cc|hi|auto|default)|\[(?:forced|sdh|cc)\])*$/
/** Names of tracks that are not speech: `abc.chapters.vtt`, `descriptions.en.vtt`. */
const silentTrack = /(?:^|\.)(chapters|descriptions|metadata|thumbnails|storyboard|live_chat)$/i

export function isMetadataName(name: string): boolean {
  return /\.(?:info|meta|player|innertube)\.json$/i.test(name)
}

/**
 * Returns the names under which a file's metadata may be stored: its own without the extension,
 * then also without a trailing language tag.
 */
function baseNames(name: string): string[] {
  const base = name.replace(/(?<=.)\.[^.]*$/, '')
  const bare = trailingTag.exec(base)?.[1]
  return bare === undefined ? [base] : [base, bare]
}

/** Returns the possible sidecars of a subtitle file, best first: paths, or names for a name. */
export function sidecarsOf(path: string): string[] {
  const bases = baseNames(basename(path)).map((base) => join(dirname(path), base))
  const plain = bases.flatMap((base) => [`${base}.json`, `${base}.meta.json`])
  const player = bases.flatMap((base) => [`${base}.player.json`, `${base}.innertube.json`])
  return [...bases.map((base) => `${base}.info.json`), ...plain, ...player].filter(
    (sidecar) => sidecar !== path,
  )
}

/** Returns a file's name without its extension and a language tag (`abc.pt-BR.vtt` → `abc`). */
export function stemOfName(name: string): string {
  return baseNames(name).at(-1)!
}

/** Returns the language in a file's name (`abc.pt-BR.vtt` → `pt`), or undefined. */
export function languageOfName(name: string): string | undefined {
  return codeOfTag(trailingTag.exec(baseNames(name)[0]!)?.[2] ?? '')
}

/** Returns the track in a name if it is not speech (`abc.chapters.vtt`), or undefined. */
export function silentTrackOfName(name: string): string | undefined {
  return silentTrack.exec(baseNames(name).at(-1)!)?.[1]?.toLowerCase()
}

/** The fields of a `--name-pattern`, and the pattern for each. */
const fields: Record<string, string> = {
  videoId: '[A-Za-z0-9_-]{1,64}?',
  title: '.+?',
  channel: '.+?',
  level: '[ABC][12]',
  language: '[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]+)*',
  '*': '.*?',
}

/** yt-dlp's `Title [id]`. */
const bracketedId = /^(.*?)[ _]?\[([A-Za-z0-9_-]{11})\]$/
/**
 * youtube-dl's `Title-id`, others' `Title_id` and the bare id, if it looks random: it has a digit
 * or `_`, or a capital after a lower-case letter. The last of its 11 characters holds 2 of a
 * YouTube id's 64 bits, so it is one of 16. This rules out three quarters of the names that end in
 * 11 letters by chance.
 */
const trailingId = /^(?:(.*[^_-])[_-])?(?=.*(?:[0-9_]|[a-z][A-Z]))([A-Za-z0-9_-]{10}[AEIMQUYcgkosw048])$/

/**
 * Reads the metadata in a file's name: by the user's pattern, or as an id at its end as yt-dlp and
 * youtube-dl write it, with the title before it. Eleven letters that may be a word (`programming`)
 * do not count unless they are in brackets.
 */
export function metadataOfName(name: string, pattern?: RegExp): Metadata {
  const bases = baseNames(name)
  if (pattern) {
    const groups = bases.map((base) => pattern.exec(base)?.groups).find((groups) => groups !== undefined)
    const { channel: channelName, ...others } = groups ?? {}
    return dropMissing({ ...others, channelName })
  }
  const ids = bases.map((base) => bracketedId.exec(base) ?? trailingId.exec(base))
  const [, title = '', videoId] = ids.find((match) => match !== null) ?? []
  return dropMissing({ videoId, title: foldBlanks(title) })
}

/**
 * Compiles a `--name-pattern` such as `{channel} - {title} [{videoId}]`, which is matched against a
 * file's name without extension, and then also without a language tag.
 *
 * @throws {SyntaxError} it names no field, an unknown one, or one twice
 */
export function compileNamePattern(pattern: string): RegExp {
  const placeholders = new Set<string>()
  const source = pattern.replace(/\{([^{}]*)\}|[^{}]+|[{}]/g, (piece, field?: string) => {
    if (field === undefined) return RegExp.escape(piece)
    if (!Object.hasOwn(fields, field)) {
      const known = Object.keys(fields).map((name) => `{${name}}`)
      throw new SyntaxError(`{${field}} is not a field. The fields are ${known.join(', ')}`)
    }
    const expression = fields[field]!
    if (field === '*') return expression
    if (placeholders.has(field)) throw new SyntaxError(`{${field}} appears twice`)
    placeholders.add(field)
    return `(?<${field}>${expression})`
  })
  if (placeholders.size === 0) throw new SyntaxError('it must contain at least one field, such as {videoId}')
  return new RegExp(`^${source}$`, 'u')
}

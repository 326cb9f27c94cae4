import { foldBlanks } from '../formats/clean-text.ts'
import { codeOfTag } from '../languages.ts'
import { dropMissing, type Metadata } from './metadata.ts'

/**
 * A language tag at the end of a name without extension, as yt-dlp writes it: `abc.en`,
 * `abc.zh-Hans`, `abc.en-orig`.
 */
const trailingTag = /^(.+)\.([a-z]{2,3}(?:[-_][A-Za-z0-9_-]{1,16})?)$/
/** Names of tracks that are not speech: `abc.chapters.vtt`, `descriptions.en.vtt`. */
const silentTrack = /(?:^|\.)(chapters|descriptions|metadata|thumbnails|storyboard|live_chat)$/i

export function isMetadataName(name: string): boolean {
  return /\.(?:info|meta|player|innertube)\.json$/i.test(name)
}

/**
 * The names under which a file's metadata may be found: its own without extension, then also
 * without a trailing language tag.
 */
function baseNames(name: string): string[] {
  const base = name.replace(/(?<=.)\.[^.]*$/, '')
  const bare = trailingTag.exec(base)?.[1]
  return bare === undefined ? [base] : [base, bare]
}

/** The sidecars that a subtitle file may have, best first. */
export function sidecarNames(name: string): string[] {
  const bases = baseNames(name)
  const plain = bases.flatMap((base) => [`${base}.json`, `${base}.meta.json`])
  const player = bases.flatMap((base) => [`${base}.player.json`, `${base}.innertube.json`])
  return [...bases.map((base) => `${base}.info.json`), ...plain, ...player].filter(
    (sidecar) => sidecar !== name,
  )
}

/** The language in a file's name (`abc.pt-BR.vtt` → `pt`), or undefined. */
export function languageOfName(name: string): string | undefined {
  const tag = trailingTag.exec(baseNames(name)[0]!)?.[2]
  return tag === undefined ? undefined : codeOfTag(tag)
}

/** The kind of track in a file's name if it is not speech (`abc.chapters.vtt`), or undefined. */
export function silentTrackOfName(name: string): string | undefined {
  return silentTrack.exec(baseNames(name).at(-1)!)?.[1]?.toLowerCase()
}

/** The fields of a `--name-pattern`, and what each matches. */
const fields = {
  videoId: '[A-Za-z0-9_-]{1,64}?',
  title: '.+?',
  channel: '.+?',
  level: '[ABC][12]',
  language: '[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]+)*',
  '*': '.*?',
} as const

/**
 * The last of 11 characters holds 2 of a YouTube id's 64 bits, so it is one of 16. This rules out
 * three quarters of the names that end in 11 letters by chance.
 */
const youtubeId = '[A-Za-z0-9_-]{10}[AEIMQUYcgkosw048]'
/** yt-dlp's `Title [id]`. */
const bracketedId = /^(.*?)[ _]?\[([A-Za-z0-9_-]{11})\]$/
/** youtube-dl's `Title-id`, others' `Title_id` and the bare id. */
const trailingId = new RegExp(`^(?:(.*[^_-])[_-])?(${youtubeId})$`)

/**
 * What a file's name says about its video: by the user's pattern, else an id at its end as yt-dlp
 * and youtube-dl write it, and the title before it. Eleven letters that may be a word
 * (`programming`) do not count unless they are in brackets.
 */
export function metadataOfName(name: string, pattern?: RegExp): Metadata {
  const bases = baseNames(name)
  if (pattern) return byPattern(bases, pattern)
  for (const base of bases) {
    const bracketed = bracketedId.exec(base)
    if (bracketed) return describe(bracketed[2]!, bracketed[1])
    const trailing = trailingId.exec(base)
    if (trailing && looksRandom(trailing[2]!)) return describe(trailing[2]!, trailing[1])
  }
  return {}
}

/**
 * Compiles a `--name-pattern` such as `{channel} - {title} [{videoId}]`, which is matched against a
 * file's name without extension, and then also without a language tag.
 *
 * @throws {SyntaxError} it names no field, an unknown one, or one twice
 */
export function compileNamePattern(pattern: string): RegExp {
  const seen = new Set<string>()
  const source = pattern.replace(/\{([^{}]*)\}|[^{}]+|[{}]/g, (piece, field?: string) => {
    if (field === undefined) return RegExp.escape(piece)
    if (!(field in fields)) {
      throw new SyntaxError(
        `{${field}} is none of ${Object.keys(fields)
          .map((name) => `{${name}}`)
          .join(', ')}`,
      )
    }
    const expression = fields[field as keyof typeof fields]
    if (field === '*') return expression
    if (seen.has(field)) throw new SyntaxError(`{${field}} appears twice`)
    seen.add(field)
    return `(?<${field}>${expression})`
  })
  if (seen.size === 0) throw new SyntaxError('it names no field')
  return new RegExp(`^${source}$`, 'u')
}

function byPattern(bases: readonly string[], pattern: RegExp): Metadata {
  const groups = bases.map((base) => pattern.exec(base)?.groups).find((found) => found !== undefined)
  if (!groups) return {}
  const { videoId, title, channel, level, language } = groups
  return dropMissing({ videoId, title: title?.trim(), channelName: channel?.trim(), level, language })
}

function describe(videoId: string, before: string | undefined): Metadata {
  const title = foldBlanks(before ?? '')
  return title === '' ? { videoId } : { videoId, title }
}

/**
 * Whether 11 characters are an id rather than words: they have a digit or `_`, or a capital after a
 * small letter.
 */
function looksRandom(id: string): boolean {
  return /[0-9_]/.test(id) || /[a-z][A-Z]/.test(id)
}

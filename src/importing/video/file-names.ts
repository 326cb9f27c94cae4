import { codeOfTag } from '../languages.ts'

/**
 * A language tag at the end of a name without extension, as yt-dlp writes it: `abc.en`,
 * `abc.zh-Hans`, `abc.en-orig`.
 */
const trailingTag = /^(.+)\.([a-z]{2,3}(?:[-_][A-Za-z0-9_-]{1,16})?)$/
/** Names of tracks that are not speech: `abc.chapters.vtt`, `descriptions.en.vtt`. */
const silentTrack = /(?:^|\.)(chapters|descriptions|metadata|thumbnails|storyboard|live_chat)$/i

/**
 * A file whose content decides whether it is read at all: metadata has the same extension as
 * subtitles.
 */
export function isJsonName(name: string): boolean {
  return /\.json$/i.test(name)
}

export function isMetadataName(name: string): boolean {
  return /\.(?:info|meta|player|innertube)\.json$/i.test(name)
}

/**
 * The names under which a file's metadata may be found: its own without extension, then also
 * without a trailing language tag.
 */
export function baseNames(name: string): string[] {
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

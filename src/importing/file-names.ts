/** The two-letter codes that are languages: `no` is one, `xx` is not. */
const languageNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

/** A language tag at the end of a name without extension, as yt-dlp writes it: `abc.en`, `abc.zh-Hans`, `abc.en-orig`. */
const trailingTag = /^(.+)\.([a-z]{2,3}(?:[-_][A-Za-z0-9_-]{1,16})?)$/

/** A file whose content decides whether it is read at all: metadata lies beside subtitles under the same extension. */
export function isJsonName(name: string): boolean {
  return /\.json$/i.test(name)
}

export function isMetadataName(name: string): boolean {
  return /\.(?:info|meta)\.json$/i.test(name)
}

/** The names that a file's metadata may be found under: its own without extension, then without a trailing language tag too. */
export function baseNames(name: string): string[] {
  const base = name.replace(/(?<=.)\.[^.]*$/, '')
  const bare = trailingTag.exec(base)?.[1]
  return bare === undefined ? [base] : [base, bare]
}

/** The sidecars that a subtitle file may have, best first. */
export function sidecarNames(name: string): string[] {
  const bases = baseNames(name)
  const plain = bases.flatMap((base) => [`${base}.json`, `${base}.meta.json`])
  return [...bases.map((base) => `${base}.info.json`), ...plain].filter((sidecar) => sidecar !== name)
}

/** The language that a file's name gives (`abc.pt-BR.vtt` → `pt`), or undefined. */
export function languageOfName(name: string): string | undefined {
  const tag = trailingTag.exec(baseNames(name)[0]!)?.[2]
  return tag === undefined ? undefined : primaryLanguage(tag)
}

/** The two-letter code that a language tag begins with: `en-US` → `en`; undefined for what is no such tag. */
export function primaryLanguage(tag: string): string | undefined {
  const code = /^([a-z]{2})(?=[-_]|$)/i.exec(tag)?.[1]?.toLowerCase()
  return code !== undefined && languageNames.of(code) !== undefined ? code : undefined
}

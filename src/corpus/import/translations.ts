import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { codePointLength } from '#kit/code-points.ts'
import { maxTranslationCharacters, type SourceCue } from '../source-clip.ts'
import { isSubtitleFile } from './find-files.ts'
import { languageOfName, stemOfName } from './video/file-names.ts'

/** The outcome of one translation of a file, counted in its cues. */
export interface TranslationCounts {
  cues: number
  /** The cues that overlap no cue, or would make a translation too long. */
  leftOut: number
  /** Why the file could not be read. */
  reason?: string
}

/**
 * The subtitle files beside another one that translate it: those with the same name, except for the
 * language (`talk.es.srt` beside `talk.en.srt`). They are keyed by language; of several files, the
 * first by name is used.
 */
export async function findTranslations(
  path: string,
  languages: readonly string[],
): Promise<Map<string, string>> {
  const translations = new Map<string, string>()
  for (const { name, language } of await filesBeside(path)) {
    if (language === undefined || !languages.includes(language) || translations.has(language)) continue
    translations.set(language, join(dirname(path), name))
  }
  return translations
}

/** Returns the name of the file beside a translation that it translates, or undefined. */
export async function translatedFile(path: string, language: string): Promise<string | undefined> {
  const files = await filesBeside(path)
  return files.find((file) => file.language === language || file.language === undefined)?.name
}

/** Returns the other subtitle files of the same name, except for its language, by name. */
async function filesBeside(path: string): Promise<{ name: string; language: string | undefined }[]> {
  const fileName = basename(path)
  const files: { name: string; language: string | undefined }[] = []
  for (const name of (await readdir(dirname(path))).sort()) {
    const isNamedAlike = name !== fileName && stemOfName(name) === stemOfName(fileName)
    if (isNamedAlike && (await isSubtitleFile(join(dirname(path), name))))
      files.push({ name, language: languageOfName(name) })
  }
  return files
}

/**
 * Adds translations to cues. Each goes to the cue that it overlaps longest; several for one cue are
 * joined by a space, in every language.
 */
export function addTranslations(
  cues: readonly SourceCue[],
  translations: readonly SourceCue[],
  language: string,
): { cues: SourceCue[]; counts: TranslationCounts } {
  const texts = cues.map(() => '')
  let leftOut = 0
  for (const translation of translations) {
    const overlaps = cues.map((cue) => overlapS(cue, translation))
    const longest = Math.max(0, ...overlaps)
    const index = overlaps.indexOf(longest)
    const text = longest > 0 ? [texts[index], translation.text].filter(Boolean).join(' ') : ''
    if (text === '' || codePointLength(text) > maxTranslationCharacters) leftOut++
    else texts[index] = text
  }
  const translatedCues = cues.map((cue, i) =>
    texts[i] === '' ? cue : { ...cue, translations: { ...cue.translations, [language]: texts[i]! } },
  )
  return { cues: translatedCues, counts: { cues: translations.length, leftOut } }
}

function overlapS(a: SourceCue, b: SourceCue): number {
  return Math.min(a.tEnd, b.tEnd) - Math.max(a.tStart, b.tStart)
}

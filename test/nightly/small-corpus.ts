import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fixedClock } from '#kit/clock.ts'
import type { BuildOptions } from '#nightly/build-options.ts'
import { build, type BuildSummary } from '#nightly/build.ts'
import { youtubeUrls } from '#nightly/render/records.ts'
import type { CatalogueWord, SourceClip, SourceCorpus } from '../model/source.ts'

/** 2026-03-01T12:00:00Z, for SOURCE_DATE_EPOCH. */
export const epochS = 1_772_366_400

export function word(wordId: number, headword: string, more: Partial<CatalogueWord> = {}): CatalogueWord {
  return {
    wordId,
    word: headword,
    level: 'A1',
    meanings: { en: `what ${headword} means` },
    forms: [],
    ...more,
  }
}

/** Returns a clip with one cue, 10 s long. */
export function clip(videoId: string, text = 'The cat runs.', more: Partial<SourceClip> = {}): SourceClip {
  return {
    videoId,
    title: `About ${videoId}`,
    language: 'en',
    level: 'A1',
    durationS: 10,
    channel: { id: 'ch', name: 'Channel' },
    cues: [{ tStart: 0, tEnd: 4, text }],
    ...more,
  }
}

export const catalogue = [
  word(1, 'cat', { forms: ['cats'] }),
  word(2, 'run', { level: 'A2', forms: ['runs', 'ran'] }),
  word(3, 'moon'),
]

export function corpus(clips: SourceClip[], words: CatalogueWord[] = catalogue): SourceCorpus {
  return { catalogues: { en: words }, forms: {}, clips }
}

/** Returns `count` clips of videos v0, v1, …. */
export function clips(count: number): SourceClip[] {
  return Array.from({ length: count }, (_, i) => clip(`v${i}`))
}

/** Returns clips of a minute with so much text that a build of 60 of them uses threads. */
export function longClips(count: number): SourceClip[] {
  const cues = Array.from({ length: 60 }, (_, i) => ({
    tStart: i,
    tEnd: i + 1,
    text: `The cat runs after a moon ${'–'.repeat(440)} and on.`,
  }))
  return Array.from({ length: count }, (_, i) => clip(`v${i}`, '', { cues, durationS: 60 }))
}

/** Writes files by their paths. */
export async function writeFiles(folder: string, files: Record<string, string | Uint8Array>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
}

export function buildTree(
  corpusFolder: string,
  outFolder: string,
  more: Partial<BuildOptions> = {},
): Promise<BuildSummary> {
  return build({
    corpusFolder,
    outFolder,
    strict: false,
    replace: new Set(),
    maxShrink: 0.2,
    urls: youtubeUrls,
    clock: fixedClock(epochS),
    ...more,
  })
}

/** Returns every file below a folder with its text, by path, except for the state of builds. */
export async function filesOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const paths = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('/.build/'))
  const texts = await Promise.all(
    paths.sort().map(async (path) => [path, await readFile(path, 'utf8')] as const),
  )
  return Object.fromEntries(texts.map(([path, text]) => [path.slice(folder.length + 1), text]))
}

// oxlint-disable-next-line typescript/no-explicit-any
export async function readJson(...path: string[]): Promise<any> {
  return JSON.parse(await readFile(join(...path), 'utf8'))
}

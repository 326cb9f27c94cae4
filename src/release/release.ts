import type { Coverage } from '#contract/corpus.ts'
import { sha256 } from '#kit/digest.ts'
import { caseKey } from '#kit/lower-case.ts'
import { matchKey } from '#kit/match-key.ts'
import { searchFold } from '#kit/search-fold.ts'
import { parseCurrent, parseManifest, type Manifest } from './manifest.ts'
import { currentPath, releasePath } from './paths.ts'
import { parseRows, type ClipRow, type WordRow } from './tables.ts'
import type { Tree } from './tree.ts'

/** A catalogue word in the release, ready to be searched. */
export interface IndexedWord extends WordRow {
  clipCount: number
  /** The headword as search compares it. */
  folded: string
}

/** What the release holds of one language. */
export interface LanguageIndex {
  /** How many ordinals have been given: the domain of a new walk. */
  domain: number
  /** By ordinal; a hole where a clip was withdrawn. */
  clips: (ClipRow | undefined)[]
  /** By clipCount descending, then wordId. */
  words: IndexedWord[]
  /** The words that a headword or form names, best first (contract 1.5); empty where none does. */
  named(text: string): readonly IndexedWord[]
}

/** One night's output, opened: look-ups only. */
export interface Release {
  manifest: Manifest
  coverage: Coverage
  /** By clip id in lower case, or by video id. */
  clip(id: string): ClipRow | undefined
  word(wordId: number): IndexedWord | undefined
  language(code: string): LanguageIndex | undefined
  /** Reads a file under `data/`. */
  read(path: string): Promise<Buffer>
}

/** The id of the release in service. @throws {MissingFile} when nothing was ever published */
export async function readCurrent(tree: Tree): Promise<string> {
  return parseCurrent((await tree.read(currentPath)).toString(), currentPath)
}

/**
 * Opens a release: reads its tables and builds the look-ups.
 *
 * @throws {MissingFile | SyntaxError} when a file is missing or is not what it should be
 */
export async function openRelease(tree: Tree, id: string): Promise<Release> {
  const readText = async (path: string) => (await tree.read(path)).toString()
  const manifestPath = releasePath(id, 'manifest.json')
  const manifest = parseManifest(await readText(manifestPath), manifestPath)
  if (manifest.release !== id)
    throw new SyntaxError(`cannot open "${manifestPath}": it is that of release ${manifest.release}`)
  const readTable = async <Row>(name: keyof Manifest['tables']) => {
    const path = releasePath(id, name)
    const text = await readText(path)
    if (sha256(text).toString('hex') !== manifest.tables[name]) {
      throw new SyntaxError(`cannot open "${path}": it is not what the manifest says`)
    }
    return parseRows<Row>(text, path)
  }
  const clipRows = await readTable<ClipRow>('clips.jsonl')
  const words = (await readTable<WordRow>('words.jsonl')).map(toIndexedWord)
  const byClipId = new Map(clipRows.map((row) => [row.clip.clipId, row]))
  const byVideoId = new Map(clipRows.map((row) => [row.clip.videoId, row]))
  const byWordId = new Map(words.map((word) => [word.wordId, word]))
  const languages = buildLanguages(manifest, clipRows, words)
  return {
    manifest,
    coverage: JSON.parse(await readText(manifest.corpus)) as Coverage,
    clip: (clipId) => byClipId.get(clipId.toLowerCase()) ?? byVideoId.get(clipId),
    word: (wordId) => byWordId.get(wordId),
    language: (code) => languages.get(code),
    read: (path) => tree.read(path),
  }
}

function toIndexedWord(row: WordRow): IndexedWord {
  return {
    ...row,
    clipCount: row.clipsByLevel.reduce((sum, count) => sum + count, 0),
    folded: searchFold(row.word, row.language),
  }
}

function buildLanguages(
  manifest: Manifest,
  clipRows: readonly ClipRow[],
  words: readonly IndexedWord[],
): Map<string, LanguageIndex> {
  const clipsOf = Map.groupBy(clipRows, (row) => row.clip.language)
  const wordsOf = Map.groupBy(words, (word) => word.language)
  const codes = new Set([...Object.keys(manifest.ordinals), ...clipsOf.keys(), ...wordsOf.keys()])
  return new Map(
    [...codes].map((code) => [
      code,
      buildLanguage(code, manifest.ordinals[code] ?? 0, clipsOf.get(code) ?? [], wordsOf.get(code) ?? []),
    ]),
  )
}

function buildLanguage(
  code: string,
  domain: number,
  clipRows: readonly ClipRow[],
  words: readonly IndexedWord[],
): LanguageIndex {
  const clips: (ClipRow | undefined)[] = Array.from({ length: domain })
  for (const row of clipRows) clips[row.ordinal] = row
  const byCoverage = words.toSorted((a, b) => b.clipCount - a.clipCount || a.wordId - b.wordId)
  return { domain, clips, words: byCoverage, named: buildNames(code, byCoverage) }
}

/** Looks words up by spelling: as written before hyphens and blanks alike, headword before form; each by coverage. */
function buildNames(
  language: string,
  byCoverage: readonly IndexedWord[],
): (text: string) => readonly IndexedWord[] {
  const spelled = { headword: new Map<string, IndexedWord[]>(), form: new Map<string, IndexedWord[]>() }
  const alike = { headword: new Map<string, IndexedWord[]>(), form: new Map<string, IndexedWord[]>() }
  for (const word of byCoverage) {
    add(spelled.headword, caseKey(word.word, language), word)
    add(alike.headword, matchKey(word.word, language), word)
    for (const form of word.forms) {
      add(spelled.form, caseKey(form, language), word)
      add(alike.form, matchKey(form, language), word)
    }
  }
  return (text) => {
    const asWritten = caseKey(text, language)
    const key = matchKey(text, language)
    return (
      spelled.headword.get(asWritten) ??
      alike.headword.get(key) ??
      spelled.form.get(asWritten) ??
      alike.form.get(key) ??
      []
    )
  }
}

function add(map: Map<string, IndexedWord[]>, key: string, word: IndexedWord): void {
  const words = map.get(key)
  if (words) words.push(word)
  else if (key !== '') map.set(key, [word])
}

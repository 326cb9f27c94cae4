/**
 * The clips with their tokens and the runs of tokens that match words. These are plain arrays,
 * which are searched from end to end.
 */
import { createHash } from 'node:crypto'
import { entriesOf, isWrittenWithoutSpaces, occurrencesIn, runsOf, type Entry, type Run } from './matching.ts'
import { nfc } from './spelling.ts'
import type { SourceClip, SourceCorpus, SourceCue } from './source.ts'
import { tokensOf, type Token } from './tokens.ts'

export type IndexedCue = { source: SourceCue; tokens: Token[]; runs: Run[] }
export type IndexedClip = { clipId: string; source: SourceClip; cues: IndexedCue[] }
export type Indexed = { source: SourceCorpus; entries: Entry[]; clips: IndexedClip[] }

/** One occurrence of a word in a clip. */
export type Occurrence = {
  tStart: number
  tEnd: number
  form: string
  text: string
  /** The line, and its tokens of the word. */
  cue: IndexedCue
  first: number
  last: number
}

export function indexed(source: SourceCorpus): Indexed {
  const entries = entriesOf(source)
  const clips = source.clips.map((clip) => ({
    clipId: clipIdOf(clip),
    source: clip,
    cues: clip.cues.map((cue) => {
      const tokens = tokensOf(cue, clip.language)
      return { source: cue, tokens, runs: runsOf(tokens, clip.language, entries) }
    }),
  }))
  return { source, entries, clips }
}

/** "Without `clipId` it is the UUIDv5 of `https://www.youtube.com/watch?v=<videoId>` …" */
export function clipIdOf(clip: SourceClip): string {
  return (clip.clipId ?? uuidV5OfUrl(`https://www.youtube.com/watch?v=${clip.videoId}`)).toLowerCase()
}

/** RFC 9562, sections 5.5 and 6.6: SHA-1 of namespace and name, version 5, variant 10. */
function uuidV5OfUrl(url: string): string {
  const namespace = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex')
  const bytes = createHash('sha1').update(namespace).update(url, 'utf8').digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x50
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Returns the occurrences of a word in a clip "in time order": by start, then cue, then token. */
export function occurrencesOf(clip: IndexedClip, entry: Entry): Occurrence[] {
  const found: Occurrence[] = []
  for (const cue of clip.cues) {
    const inOrder = occurrencesIn(cue.runs, entry).toSorted((a, b) => a.first - b.first)
    for (const run of inOrder) {
      const said = cue.tokens.slice(run.first, run.first + run.length)
      found.push({
        tStart: said[0]!.tStart,
        tEnd: said.at(-1)!.tEnd,
        form: joinedForm(said, clip.source.language),
        text: nfc(cue.source.text),
        cue,
        first: run.first,
        last: run.first + run.length - 1,
      })
    }
  }
  return found.toSorted((a, b) => a.tStart - b.tStart) // toSorted is stable: cue, then token, among equal starts
}

/** "`form` joins a phrase's tokens with single spaces (none in ja and zh)." */
function joinedForm(said: Token[], language: string): string {
  return said.map((token) => token.text).join(isWrittenWithoutSpaces(language) ? '' : ' ')
}

/** Whether a clip is indexed under a word. */
export function isIndexedUnder(clip: IndexedClip, entry: Entry): boolean {
  return occurrencesOf(clip, entry).length > 0
}

/** "clipCount: Number of clips indexed for the word." */
export function clipCountOf(entry: Entry, clips: IndexedClip[]): number {
  return clips.filter((clip) => isIndexedUnder(clip, entry)).length
}

/** Returns the words of one language, in the order of the catalogue. */
export function entriesIn(language: string, entries: Entry[]): Entry[] {
  return entries.filter((entry) => entry.language === language)
}

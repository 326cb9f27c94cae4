/**
 * `GET /clips/{clipId}` and its transcript (contract 1.5).
 */
import type { Clip, FeedClip } from '#contract/clip.ts'
import type { Transcript, TranscriptWord } from '#contract/transcript.ts'
import { isIndexedUnder, type Indexed, type IndexedClip } from './indexed.ts'
import { wordIdsAt } from './matching.ts'
import { placesOf } from './places.ts'
import { nfc } from './spelling.ts'
import { hasSourceWords, roundTime } from './tokens.ts'

/** `indexedAt`, the time of the build, is left out of the model. */
export type ClipRecord = Omit<Clip, 'indexedAt'>

/** "UUIDs in any case; video ids case-sensitive." A UUID takes precedence over a video id. */
export function clipNamed(id: string, index: Indexed): IndexedClip | null {
  const byClipId = index.clips.find((clip) => clip.clipId === id.toLowerCase())
  return byClipId ?? index.clips.find((clip) => clip.source.videoId === id) ?? null
}

/** "Clip fields without `wordCount` and `indexedAt`", with the default URL templates. */
export function feedClip(clip: IndexedClip): FeedClip {
  const { videoId, title, language, level, durationS, channel } = clip.source
  return {
    clipId: clip.clipId,
    videoId,
    title: nfc(title),
    language,
    level,
    durationS,
    channel: { id: nfc(channel.id), name: nfc(channel.name) },
    embedUrl: `https://www.youtube.com/embed/${videoId}`,
    watchUrl: `https://www.youtube.com/watch?v=${videoId}`,
  }
}

/** "`wordCount` is the number of catalogue words that a clip is indexed under." */
export function clipRecord(clip: IndexedClip, index: Indexed): ClipRecord {
  const wordCount = index.entries.filter((entry) => isIndexedUnder(clip, entry)).length
  return { ...feedClip(clip), wordCount }
}

/** "`{ "items": [Clip], "missing": [ids as sent] }`, in the order asked, each clip once" */
export function clipBatch(ids: string[], index: Indexed): { items: ClipRecord[]; missing: string[] } {
  const clips = ids.map((id) => clipNamed(id, index))
  const found = clips.filter((clip) => clip !== null)
  const missing = ids.filter((_, i) => clips[i] === null)
  return { items: [...new Set(found)].map((clip) => clipRecord(clip, index)), missing: [...new Set(missing)] }
}

/**
 * "`wordTiming` says whether the source had timings for the words, or they were interpolated (one
 * cue without word timings makes the whole transcript `interpolated`)"
 */
export function transcriptRecord(clip: IndexedClip): Transcript {
  const { videoId, language, durationS, cues } = clip.source
  return {
    clipId: clip.clipId,
    videoId,
    language,
    durationS,
    wordTiming: cues.every(hasSourceWords) ? 'measured' : 'interpolated',
    cues: clip.cues.map(({ source, tokens, runs }) => ({
      tStart: roundTime(source.tStart),
      tEnd: roundTime(source.tEnd),
      text: nfc(source.text),
      ...translationsOf(source.translations),
      words: tokens.map(({ text, tStart, tEnd }, i): TranscriptWord => {
        const wordIds = wordIdsAt(i, runs)
        // "a token that the text does not show has neither field"
        const place = placesOf(tokens, source.text, language)[i]!
        // "`wordIds` is there only for tokens indexed under catalogue words"
        return { text, tStart, tEnd, ...place, ...(wordIds.length > 0 && { wordIds }) }
      }),
    })),
  }
}

/** "`translations`: the cue in other languages, where the source has them, by language code" */
function translationsOf(translations: Record<string, string> = {}) {
  const texts = Object.entries(translations).map(([language, text]) => [language, nfc(text)] as const)
  return texts.length > 0 && { translations: Object.fromEntries(texts) }
}

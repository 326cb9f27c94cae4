import type { Clip, FeedClip } from '#contract/clip.ts'
import type { Transcript } from '#contract/transcript.ts'
import { clipIdOf, type SourceClip } from '#corpus/source-clip.ts'
import type { ClipIndex } from '../index/index-clip.ts'
import type { TokenisedCue } from '../index/tokenise.ts'
import { codePointLength } from '#kit/code-points.ts'
import { roundTime } from '#kit/round.ts'
import type { Place } from '#language/place-tokens.ts'

/** The addresses of the player and the attribution link: `{videoId}` stands for the id. */
export interface UrlTemplates {
  embedUrl: string
  watchUrl: string
}

export const youtubeUrls: UrlTemplates = {
  embedUrl: 'https://www.youtube.com/embed/{videoId}',
  watchUrl: 'https://www.youtube.com/watch?v={videoId}',
}

/** Returns the record of a clip, with its fields in the order of the contract. */
export function renderClip(
  source: SourceClip,
  urls: UrlTemplates,
  wordCount: number,
  indexedAt: string,
): Clip {
  const { videoId, title, language, level, durationS, channel } = source
  return {
    clipId: clipIdOf(source),
    videoId,
    title,
    language,
    level,
    durationS,
    channel: { id: channel.id, name: channel.name },
    embedUrl: urls.embedUrl.replaceAll('{videoId}', videoId),
    watchUrl: urls.watchUrl.replaceAll('{videoId}', videoId),
    wordCount,
    indexedAt,
  }
}

/** Returns a clip as lists show it: without `wordCount` and `indexedAt`. */
export function toFeedClip(clip: Clip): FeedClip {
  const { wordCount: _, indexedAt: __, ...feedClip } = clip
  return feedClip
}

/** Returns the transcript of a clip, with its fields in the order of the contract. */
export function renderTranscript(
  source: SourceClip,
  cues: readonly TokenisedCue[],
  { places, wordIds }: Pick<ClipIndex, 'places' | 'wordIds'>,
): Transcript {
  const { videoId, language, durationS } = source
  const isMeasured = source.cues.every((cue) => cue.words && cue.words.length > 0)
  return {
    clipId: clipIdOf(source),
    videoId,
    language,
    durationS,
    wordTiming: isMeasured ? 'measured' : 'interpolated',
    cues: cues.map(({ tStart, tEnd, text, tokens }, c) => {
      const { translations = {} } = source.cues[c]!
      return {
        tStart: roundTime(tStart),
        tEnd: roundTime(tEnd),
        text,
        ...(Object.keys(translations).length > 0 && { translations }),
        words: tokens.map((token, t) => ({
          text: token.text,
          tStart: token.tStart,
          tEnd: token.tEnd,
          ...inCodePoints(places[c]![t]!, text),
          ...(token.reading !== undefined && { reading: token.reading }),
          ...(wordIds[c]![t]!.length > 0 && { wordIds: wordIds[c]![t]! }),
        })),
      }
    }),
  }
}

/** Returns the position of a token in the text of its cue; nothing if the text does not show it. */
function inCodePoints(place: Place | null, text: string) {
  return (
    place && {
      start: codePointLength(text.slice(0, place.start)),
      end: codePointLength(text.slice(0, place.end)),
    }
  )
}

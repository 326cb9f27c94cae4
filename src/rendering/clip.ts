import type { Clip, FeedClip } from '#contract/clip.ts'
import { clipIdOf, type SourceClip } from '#corpus/source-clip.ts'

/** Where the player and the attribution link point: `{videoId}` stands for the id. */
export interface UrlTemplates {
  embedUrl: string
  watchUrl: string
}

export const youtubeUrls: UrlTemplates = {
  embedUrl: 'https://www.youtube.com/embed/{videoId}',
  watchUrl: 'https://www.youtube.com/watch?v={videoId}',
}

/** The record of a clip, its fields in the order of the contract. */
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

/** The clip as lists show it: without `wordCount` and `indexedAt`. */
export function toFeedClip(clip: Clip): FeedClip {
  const { clipId, videoId, title, language, level, durationS, channel, embedUrl, watchUrl } = clip
  return { clipId, videoId, title, language, level, durationS, channel, embedUrl, watchUrl }
}

import type { Cue, FeedClip, Transcript, TranscriptWord } from '../operations.ts'

/**
 * Returns the line that is on screen at a time in seconds. If several lines are, returns the one
 * that started last.
 */
export function lineAt(transcript: Transcript, timeS: number): Cue | null {
  return transcript.cues.filter((cue) => isAt(cue, timeS)).at(-1) ?? null
}

/** Returns the word that is said at a time in seconds; null in a pause. */
export function wordAt(transcript: Transcript, timeS: number): TranscriptWord | null {
  const words = transcript.cues.flatMap((cue) => cue.words)
  return words.filter((word) => isAt(word, timeS)).at(-1) ?? null
}

function isAt({ tStart, tEnd }: { tStart: number; tEnd: number }, timeS: number): boolean {
  return tStart <= timeS && timeS < tEnd
}

type Video = Pick<FeedClip, 'watchUrl' | 'embedUrl' | 'videoId'>

/**
 * Returns the address of a clip at its source, starting at a time in seconds: with YouTube's `t`,
 * or with a media fragment on other platforms (https://www.w3.org/TR/media-frags/).
 */
export function watchUrlAt({ watchUrl }: Pick<Video, 'watchUrl'>, timeS: number): string {
  const url = new URL(watchUrl)
  // YouTube takes whole seconds.
  if (isYoutube(url)) url.searchParams.set('t', `${Math.floor(timeS)}s`)
  else url.hash = `t=${timeS}`
  return url.href
}

/** Returns the address of a picture of a clip; null if the platform has no fixed address. */
export function thumbnailUrl({ embedUrl, videoId }: Pick<Video, 'embedUrl' | 'videoId'>): string | null {
  return isYoutube(new URL(embedUrl)) ? `https://i.ytimg.com/vi/${videoId}/hqdefault.jpg` : null
}

function isYoutube({ hostname }: URL): boolean {
  return /(^|\.)(youtube(-nocookie)?\.com|youtu\.be)$/.test(hostname)
}

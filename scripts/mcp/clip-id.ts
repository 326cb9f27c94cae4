import { uuidPattern, videoIdSchema } from '#contract/clip.ts'

/**
 * Returns the clip id or video id that a text names: a UUID, or the address of a video on YouTube
 * or of a page of another platform, whose last segment is taken. Returns null for any other text.
 *
 *     clipIdIn('https://youtu.be/dQw4w9WgXcQ?t=12') // 'dQw4w9WgXcQ'
 */
export function clipIdIn(text: string): string | null {
  const trimmedText = text.trim()
  if (uuidPattern.test(trimmedText.toLowerCase())) return trimmedText
  if (!/^https?:\/\//i.test(trimmedText) || !URL.canParse(trimmedText)) return null
  const { searchParams, pathname } = new URL(trimmedText)
  const id = searchParams.get('v') ?? pathname.split('/').findLast((segment) => segment !== '')
  return id !== undefined && isVideoId(id) ? id : null
}

export function isVideoId(text: string): boolean {
  return videoIdSchema.safeParse(text).success
}

/** Returns the id that a text is, or that it names. */
export function toClipId(text: string): string {
  return clipIdIn(text) ?? text.trim()
}

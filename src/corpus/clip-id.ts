import { uuidOfUrl } from '#kit/uuid.ts'
import type { SourceClip } from './source-clip.ts'

/**
 * The id of a clip: its own, else the UUIDv5 of its watch address in the URL namespace (RFC 9562
 * section 5.5; contract 2).
 */
export function clipIdOf(clip: Pick<SourceClip, 'clipId' | 'videoId'>): string {
  return clip.clipId ?? uuidOfUrl(`https://www.youtube.com/watch?v=${clip.videoId}`)
}

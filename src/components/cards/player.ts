import '#client/player/clip-player.ts'
import type { ClipPlayer } from '#client/player/clip-player.ts'
import type { FeedClip } from '#contract/clip.ts'
import type { Transcript } from '#contract/transcript.ts'
import { askService } from '../ask-service.ts'
import { ownEmbedUrl } from '../own-address.ts'
import { sessionKey } from '../session-key.ts'
import { element } from './dom.ts'

/** What of a clip is played. */
export interface Part {
  /** Where to start, in seconds. */
  startS?: number | undefined
  /** The word to underline in the lines. */
  wordId?: number | undefined
}

/** How long before a word its player starts: in mid-sentence, a word is hard to hear. */
const leadS = 2

/** Makes a player of a clip. Its transcript is loaded with the first play. */
export function clipPlayer(clip: FeedClip, part: Part): ClipPlayer {
  const player = element('clip-player', { preload: 'none' })
  showClip(player, clip, part)
  return player
}

/** Puts another clip, or another part of it, into a player. */
export function showClip(player: ClipPlayer, clip: FeedClip, { startS = 0, wordId }: Part): void {
  player.load = loadTranscript
  player.setAttribute('start', String(Math.max(0, startS - leadS)))
  player.setAttribute('mark', String(wordId ?? ''))
  player.transcript = null
  player.clip = { ...clip, embedUrl: ownEmbedUrl(clip.embedUrl) }
  player.setAttribute('transcript', clip.clipId)
}

/** That of the previews or, with a key, that of the service; null where neither has one. */
async function loadTranscript(clipId: string): Promise<unknown> {
  const preview = await fetch(`/preview/transcripts/${clipId}.json`)
  if (preview.ok) return await preview.json()
  if (sessionKey() === '') return null
  const answer = await askService<Transcript>('/clips/{clipId}/transcript', { clipId })
  return 'error' in answer ? null : answer
}

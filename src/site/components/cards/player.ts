import '#client/player/clip-player.ts'
import type { ClipPlayer } from '#client/player/clip-player.ts'
import type { FeedClip } from '#contract/clip.ts'
import type { Transcript } from '#contract/transcript.ts'
import { posterPath, posterWidths } from '../../poster-paths.ts'
import { previewTranscript } from '../previews.ts'
import { ask, sessionKey, unlessError } from '../service.ts'

/**
 * The time by which a player starts before a word, because words are hard to understand in
 * mid-sentence.
 */
const leadS = 2

// Only one player of a page plays or loads at a time.
for (const name of ['loadstart', 'play'])
  document.addEventListener(name, ({ target }) => {
    for (const player of document.querySelectorAll('clip-player')) if (player !== target) player.pause()
  })

/**
 * Gives a player a clip, or another start in the clip that it already has. The word with the id
 * `wordId` is underlined in the lines.
 */
export function showClip(player: ClipPlayer, clip: FeedClip, startS = 0, wordId?: number): void {
  player.load = loadTranscript
  player.setAttribute('start', String(Math.max(0, startS - leadS)))
  player.setAttribute('mark', String(wordId ?? ''))
  player.transcript = null
  const { pathname, search } = new URL(clip.embedUrl)
  const isSample = pathname === '/sample-player/'
  player.replaceChildren(...(isSample ? [samplePoster(clip.channel.id)] : []))
  // The pages of a sample clip are on this site, whatever address it was built for.
  const pagesHere = { embedUrl: location.origin + pathname + search, watchUrl: `/sample-clips/${search}` }
  player.clip = isSample ? { ...clip, ...pagesHere } : clip
  player.setAttribute('transcript', clip.clipId)
}

/** Returns the picture of a sample clip, which has no video. */
function samplePoster(channelId: string): HTMLPictureElement {
  const [webp, avif] = (['webp', 'avif'] as const).map((format) =>
    posterWidths.map((width) => `/${posterPath(channelId, width, format)} ${width}w`).join(', '),
  )
  const picture = document.createElement('picture')
  picture.slot = 'poster'
  const source = Object.assign(document.createElement('source'), { type: 'image/avif', srcset: avif })
  const image = Object.assign(document.createElement('img'), { alt: '', srcset: webp })
  for (const each of [source, image]) each.sizes = '(max-width: 50rem) 100vw, 32rem'
  picture.append(source, image)
  return picture
}

/**
 * Reads a transcript from the previews or, with a key, from the service.
 *
 * @throws {Error} neither of them returned the transcript
 */
async function loadTranscript(clipId: string): Promise<Transcript> {
  return await previewTranscript(clipId).catch(async (error: Error) => {
    if (sessionKey() === '')
      throw new Error('Without a key, there is no transcript of this clip', { cause: error })
    return unlessError(await ask<Transcript>(['getTranscript', { clipId }]))
  })
}

import type { Adapter } from './adapter.ts'

/** The parts of a message from the frame that are used. */
interface Message {
  event?: string
  info?: { currentTime?: number; playerState?: number; playbackRate?: number } | number | null
}

/** How often, and for how long, the frame is contacted until it answers, in milliseconds. */
const knockEveryMs = 250
const knockForMs = 15_000

/** The states of a player. */
const endState = 0
const playState = 1

/**
 * Exchanges the messages of YouTube's IFrame API
 * (https://developers.google.com/youtube/iframe_api_reference) without loading its script. The
 * frame answers `listening` with its state, and then reports its time about four times a second.
 */
export const youtube: Adapter = {
  matches: () => true,

  frameUrl(embedUrl, startS) {
    const url = new URL(embedUrl)
    // `start` accepts only whole seconds. The player seeks to the exact time when it is ready.
    const parameters = { enablejsapi: 1, origin: location.origin, playsinline: 1, start: Math.floor(startS) }
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value))
    return url
  },

  posterUrl(embedUrl) {
    const videoId = /^\/embed\/([\w-]{11})$/.exec(embedUrl.pathname)?.[1]
    const isYouTube = /(^|\.)youtube(-nocookie)?\.com$/.test(embedUrl.hostname)
    return isYouTube && videoId ? new URL(`https://i.ytimg.com/vi/${videoId}/hqdefault.jpg`) : null
  },

  connect(frame, onReport) {
    const { origin } = new URL(frame.src)
    const post = (message: object) =>
      frame.contentWindow?.postMessage(JSON.stringify({ ...message, id: 1, channel: 'widget' }), origin)
    const command = (func: string, ...args: unknown[]) => post({ event: 'command', func, args })
    // Repeats until the frame answers, because messages sent before it listens are lost.
    const knock = () => post({ event: 'listening' })
    const knocking = setInterval(knock, knockEveryMs)
    setTimeout(() => clearInterval(knocking), knockForMs)
    frame.addEventListener('load', knock)
    const onMessage = ({ source, origin: from, data }: MessageEvent) => {
      const message = source === frame.contentWindow && from === origin && parse(data)
      if (!message) return
      clearInterval(knocking)
      const { event, info } = message
      const state = event === 'onStateChange' ? { playerState: info as number } : info
      const { currentTime, playerState, playbackRate } = (typeof state === 'object' && state) || {}
      onReport({
        isReady: event === 'onReady',
        timeS: currentTime,
        rate: playbackRate,
        isPlaying: playerState === undefined ? undefined : playerState === playState,
        isOver: playerState === endState,
      })
    }
    addEventListener('message', onMessage)
    return {
      play: () => command('playVideo'),
      pause: () => command('pauseVideo'),
      seek: (timeS) => command('seekTo', timeS, true),
      setRate: (rate) => command('setPlaybackRate', rate),
      disconnect() {
        clearInterval(knocking)
        removeEventListener('message', onMessage)
      },
    }
  },
}

function parse(data: unknown): Message | null {
  try {
    return (typeof data === 'string' ? JSON.parse(data) : data) as Message | null
  } catch {
    return null
  }
}

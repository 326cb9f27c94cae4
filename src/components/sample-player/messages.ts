import type { Playback } from './playback.ts'

const commands: Record<string, (playback: Playback, args: unknown[]) => void> = {
  playVideo: (playback) => playback.play(),
  pauseVideo: (playback) => playback.pause(),
  seekTo: (playback, [timeS]) => playback.seek(Number(timeS)),
  setPlaybackRate: (playback, [rate]) => playback.setRate(Number(rate)),
}

/**
 * Speaks the messages of YouTube's frame with the page around this one: what plays this plays a
 * video of YouTube.
 */
export function answerFrameMessages(playback: Playback): void {
  let origin: string | null = null
  const send = (event: string, info: unknown) => {
    if (origin !== null) parent.postMessage(JSON.stringify({ event, info, id: 1, channel: 'widget' }), origin)
  }
  const stateOf = () => (playback.isPlaying ? 1 : playback.isOver ? 0 : 2)
  const info = () => ({
    currentTime: playback.timeS,
    duration: playback.durationS,
    playbackRate: playback.rate,
    playerState: stateOf(),
  })

  addEventListener('message', ({ source, origin: from, data }: MessageEvent) => {
    if (source !== parent || typeof data !== 'string') return
    const { event, func, args } = JSON.parse(data) as { event?: string; func?: string; args?: unknown[] }
    if (event === 'command') commands[func ?? '']?.(playback, args ?? [])
    if (event !== 'listening' || origin !== null) return
    origin = from
    send('initialDelivery', info())
    send('onReady', null)
  })
  const draw = playback.onChange
  playback.onChange = () => {
    draw()
    send('onStateChange', stateOf())
    send('infoDelivery', info())
  }
  setInterval(() => playback.isPlaying && send('infoDelivery', info()), 250)
}

/** What the player is doing; times are seconds of the clip. */
export interface PlayerState {
  timeS: number
  durationS: number
  rate: number
  isPlaying: boolean
}

/**
 * Speaks the messages of YouTube's frame with the page around this one: what plays this plays a
 * video of YouTube. Returns what tells the page of a change.
 *
 * @param commands what the page can ask for, by its name in YouTube's messages
 */
export function answerFrameMessages(
  state: () => PlayerState,
  commands: Record<string, (value: number) => void>,
): () => void {
  let origin: string | null = null
  const send = (event: string, info: unknown) => {
    if (origin !== null) parent.postMessage(JSON.stringify({ event, info, id: 1, channel: 'widget' }), origin)
  }
  const info = () => {
    const { timeS, durationS, rate, isPlaying } = state()
    const playerState = isPlaying ? 1 : timeS >= durationS ? 0 : 2
    return { currentTime: timeS, duration: durationS, playbackRate: rate, playerState }
  }
  addEventListener('message', ({ source, origin: from, data }: MessageEvent) => {
    if (source !== parent || typeof data !== 'string') return
    const {
      event,
      func = '',
      args = [],
    } = JSON.parse(data) as { event?: string; func?: string; args?: unknown[] }
    if (event === 'command') commands[func]?.(Number(args[0]))
    if (event !== 'listening' || origin !== null) return
    origin = from
    send('initialDelivery', info())
    send('onReady', null)
  })
  setInterval(() => state().isPlaying && send('infoDelivery', info()), 250)
  return () => {
    send('onStateChange', info().playerState)
    send('infoDelivery', info())
  }
}

import type { PlayableClip, SampleLine } from '../sample-clip.ts'
import { byId } from './elements.ts'

const parameters = new URLSearchParams(location.search)

async function readClip(): Promise<PlayableClip> {
  const response = await fetch(`/sample-player/${encodeURIComponent(parameters.get('v') ?? '')}.json`)
  if (!response.ok) throw new Error('This clip does not exist')
  return (await response.json()) as PlayableClip
}

/** The maximum distance of the clip from its audio, in seconds. */
const toleranceS = 0.05
/** The time to wait before requesting audio again that does not exist yet. */
const retryMs = 5_000

function show({ title, language, durationS, lines, audioPath }: PlayableClip): void {
  // An animation without an effect is a clock that plays, pauses and seeks like a video. It runs
  // with and without audio, and follows the audio if there is any.
  const clip = new Animation(new KeyframeEffect(null, null, durationS * 1000))
  const audio = byId<HTMLAudioElement>('audio')
  let currentLine: SampleLine | undefined

  const hasSound = () => audio.readyState >= HTMLMediaElement.HAVE_METADATA
  const draw = () => {
    const isPlaying = clip.playState === 'running'
    const isHeard = isPlaying && hasSound() && !audio.paused && !audio.seeking && !audio.ended
    if (isHeard && Math.abs(audio.currentTime - Number(clip.currentTime) / 1000) > toleranceS)
      clip.currentTime = audio.currentTime * 1000
    const timeS = Number(clip.currentTime) / 1000
    const line = lines.findLast(({ tStart, tEnd }) => tStart <= timeS && timeS < tEnd)
    byId<HTMLProgressElement>('progress').value = timeS / durationS
    byId('toggle').ariaLabel = isPlaying ? 'Pause' : hasSound() ? 'Play' : 'Play without sound'
    document.body.classList.toggle('speaking', isPlaying && line !== undefined)
    if (line === currentLine) return
    currentLine = line
    byId('caption').textContent = line?.text ?? ''
  }
  const commands: Record<string, (value: number) => void> = {
    playVideo: () => clip.play(),
    pauseVideo: () => clip.pause(),
    seekTo: (timeS) => (clip.currentTime = timeS * 1000),
    setPlaybackRate: (rate) => (clip.playbackRate = rate),
  }
  const run = (command: string, value = 0) => {
    commands[command]?.(value)
    onChange()
  }
  const tellPage = answerFrameMessages(clip, durationS, run)
  /** Makes the audio follow the clip. */
  const moveSound = () => {
    byId('sound').textContent = hasSound() ? ', with a synthetic voice' : ', and without sound so far'
    if (!hasSound()) return
    audio.playbackRate = clip.playbackRate
    audio.currentTime = Number(clip.currentTime) / 1000
    if (clip.playState !== 'running') audio.pause()
    // A browser can require that visitors press the button in this frame before they hear it.
    else audio.play().catch(({ name }: Error) => name === 'NotAllowedError' && run('pauseVideo'))
  }
  const onChange = () => {
    moveSound()
    draw()
    tellPage()
  }

  byId('title').textContent = document.title = title
  byId('title').lang = byId('caption').lang = language
  byId('toggle').onclick = () => run(clip.playState === 'running' ? 'pauseVideo' : 'playVideo')
  clip.onfinish = onChange
  audio.onloadedmetadata = onChange
  audio.onerror = () => setTimeout(() => audio.load(), retryMs)
  audio.src = audioPath
  run('seekTo', Number(parameters.get('start')) || 0)
  // An interval, because browsers pause animation frames when the page is not visible.
  setInterval(draw, 100)
}

/**
 * Exchanges the messages of YouTube's embedded player with the parent page, so that the page can
 * control this player in the same way. Returns a function that reports a change to the page.
 *
 * @param clip the clip's clock
 * @param run runs a command of the page, such as `playVideo`
 */
function answerFrameMessages(
  clip: Animation,
  durationS: number,
  run: (command: string, value: number) => void,
): () => void {
  let origin: string | null = null
  const send = (event: string, info: unknown) => {
    if (origin !== null) parent.postMessage(JSON.stringify({ event, info, id: 1, channel: 'widget' }), origin)
  }
  const info = () => {
    const currentTime = Number(clip.currentTime) / 1000
    const playerState = clip.playState === 'running' ? 1 : currentTime >= durationS ? 0 : 2
    return { currentTime, duration: durationS, playbackRate: clip.playbackRate, playerState }
  }
  addEventListener('message', ({ source, origin: from, data }: MessageEvent) => {
    if (source !== parent || typeof data !== 'string') return
    const message = JSON.parse(data) as { event?: string; func?: string; args?: unknown[] }
    if (message.event === 'command') run(message.func!, Number(message.args?.[0]))
    if (message.event !== 'listening' || origin !== null) return
    origin = from
    send('initialDelivery', info())
    send('onReady', null)
  })
  setInterval(() => clip.playState === 'running' && send('infoDelivery', info()), 250)
  return () => {
    send('onStateChange', info().playerState)
    send('infoDelivery', info())
  }
}

readClip().then(show, (error: Error) => (byId('caption').textContent = error.message))

import { byId } from './elements.ts'

/** The clip that the sample player plays. Times are in seconds. */
interface SampleClip {
  title: string
  language: string
  durationS: number
  lines: Line[]
}
interface Line {
  tStart: number
  tEnd: number
  text: string
}

const parameters = new URLSearchParams(location.search)

async function readClip(): Promise<SampleClip> {
  const response = await fetch(`/sample-player/${encodeURIComponent(parameters.get('v') ?? '')}.json`)
  if (!response.ok) throw new Error('This clip does not exist')
  return (await response.json()) as SampleClip
}

function show({ title, language, durationS, lines }: SampleClip): void {
  // An animation without an effect is a clock that plays, pauses and seeks like a video.
  const clip = new Animation(new KeyframeEffect(null, null, durationS * 1000))
  let currentLine: Line | undefined

  const draw = () => {
    const timeS = Number(clip.currentTime) / 1000
    const isPlaying = clip.playState === 'running'
    const line = lines.findLast(({ tStart, tEnd }) => tStart <= timeS && timeS < tEnd)
    byId<HTMLProgressElement>('progress').value = timeS / durationS
    byId('toggle').ariaLabel = isPlaying ? 'Pause' : 'Play'
    document.body.classList.toggle('speaking', isPlaying && line !== undefined)
    if (line === currentLine) return
    currentLine = line
    byId('caption').textContent = line?.text ?? ''
    if (line && isPlaying) readAloud(line, language, timeS, clip.playbackRate)
  }
  const commands: Record<string, (value: number) => void> = {
    playVideo: () => clip.play(),
    pauseVideo: () => clip.pause(),
    seekTo: (timeS) => (clip.currentTime = timeS * 1000),
    setPlaybackRate: (rate) => (clip.playbackRate = rate),
  }
  const run = (command: string, value: number) => {
    commands[command]?.(value)
    onChange()
  }
  const tellPage = answerFrameMessages(clip, durationS, run)
  const onChange = () => {
    speechSynthesis.cancel()
    currentLine = undefined
    draw()
    tellPage()
  }

  byId('title').textContent = document.title = title
  byId('title').lang = byId('caption').lang = language
  byId('toggle').onclick = () => run(clip.playState === 'running' ? 'pauseVideo' : 'playVideo', 0)
  clip.onfinish = onChange
  const sayVoice = () => {
    byId('voice').textContent = voiceOf(language) ? '' : '. This browser has no voice for its language.'
  }
  speechSynthesis.onvoiceschanged = sayVoice
  sayVoice()
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

/**
 * Approximate speed of a voice in characters per second, for scripts in which a character is a
 * syllable.
 */
const charactersAS: Record<string, number> = { ja: 7, zh: 4.5 }
const lettersAS = 15

/** Returns one of the browser's voices for a language, if there is one. */
function voiceOf(language: string): SpeechSynthesisVoice | undefined {
  return speechSynthesis.getVoices().find(({ lang }) => lang.toLowerCase().split(/[-_]/)[0] === language)
}

/**
 * Reads the rest of a line aloud from a point in time, at about the speed of its timing. Without a
 * voice, does nothing.
 */
function readAloud({ tStart, tEnd, text }: Line, language: string, fromS: number, rate: number): void {
  const voice = voiceOf(language)
  if (!voice) return
  const words = text.split(' ')
  const rest = words.slice(Math.floor(((fromS - tStart) / (tEnd - tStart)) * words.length)).join(' ')
  const utterance = new SpeechSynthesisUtterance(rest)
  utterance.voice = voice
  utterance.lang = voice.lang
  const naturalS = text.length / (charactersAS[language] ?? lettersAS)
  utterance.rate = Math.min(Math.max(naturalS / (tEnd - tStart), 0.6), 1.6) * rate
  speechSynthesis.cancel()
  speechSynthesis.speak(utterance)
}

readClip().then(show, (error: Error) => (byId('caption').textContent = error.message))

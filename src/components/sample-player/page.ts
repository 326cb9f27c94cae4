import type { Report } from '#client/player/adapter.ts'
import { PlayerClock } from '#client/player/clock.ts'
import { byId } from '../html.ts'
import { answerFrameMessages } from './messages.ts'
import { readAloud, voiceOf, type SampleClip } from './voice.ts'

const parameters = new URLSearchParams(location.search)

async function readClip(): Promise<SampleClip> {
  const response = await fetch(`/sample-player/${encodeURIComponent(parameters.get('v') ?? '')}.json`)
  if (!response.ok) throw new Error('This clip does not exist')
  return (await response.json()) as SampleClip
}

function show({ title, language, durationS, lines }: SampleClip): void {
  const clock = new PlayerClock()
  let shown: SampleClip['lines'][number] | undefined
  const state = () => ({
    timeS: Math.min(clock.timeS(performance.now()), durationS),
    durationS,
    rate: clock.rate,
    isPlaying: clock.isPlaying,
  })

  const draw = () => {
    // A clock that hears nothing stands still.
    clock.report({}, performance.now())
    const { timeS, isPlaying, rate } = state()
    if (isPlaying && timeS >= durationS) return change({ isPlaying: false })
    const line = lines.findLast(({ tStart, tEnd }) => tStart <= timeS && timeS < tEnd)
    byId<HTMLProgressElement>('progress').value = timeS / durationS
    byId('toggle').ariaLabel = isPlaying ? 'Pause' : 'Play'
    document.body.classList.toggle('speaking', isPlaying && line !== undefined)
    if (line === shown) return
    shown = line
    byId('caption').textContent = line?.text ?? ''
    if (line && isPlaying) readAloud(line, { fromS: timeS, rate, language })
  }
  const change = (report: Report) => {
    clock.report(report, performance.now())
    speechSynthesis.cancel()
    shown = undefined
    draw()
    tellPage()
  }
  const seek = (timeS: number) => {
    clock.seek(Math.min(Math.max(0, timeS), durationS), performance.now())
    change({})
  }
  const play = () => {
    if (state().timeS >= durationS) seek(0)
    change({ isPlaying: true })
  }
  const pause = () => change({ isPlaying: false })
  const isAsked = parameters.get('enablejsapi') === '1'
  const commands = {
    playVideo: play,
    pauseVideo: pause,
    seekTo: seek,
    setPlaybackRate: (rate: number) => change({ rate }),
  }
  const tellPage = isAsked ? answerFrameMessages(state, commands) : () => {}

  byId('title').textContent = document.title = title
  byId('title').lang = byId('caption').lang = language
  byId('toggle').addEventListener('click', () => (clock.isPlaying ? pause() : play()))
  const sayVoice = () => {
    byId('voice').textContent = voiceOf(language) ? '' : '. This browser has no voice for its language.'
  }
  speechSynthesis.addEventListener('voiceschanged', sayVoice)
  sayVoice()
  seek(Number(parameters.get('start')) || 0)
  // Frames are few where the page is out of view.
  setInterval(draw, 100)
}

readClip().then(show, (error: Error) => (byId('caption').textContent = error.message))

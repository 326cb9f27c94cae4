import { byId } from '../cards/dom.ts'
import { answerFrameMessages } from './messages.ts'
import { Playback } from './playback.ts'
import type { SampleClip } from './sample-clip.ts'
import { readAloud, voiceOf } from './voice.ts'

const parameters = new URLSearchParams(location.search)

async function readClip(): Promise<SampleClip> {
  const response = await fetch(`/sample-player/${encodeURIComponent(parameters.get('v') ?? '')}.json`)
  if (!response.ok) throw new Error('This clip does not exist')
  return (await response.json()) as SampleClip
}

function show(clip: SampleClip): void {
  const playback = new Playback(clip.durationS, Number(parameters.get('start')) || 0)
  const lineAt = (timeS: number) => clip.lines.findLast((line) => line.tStart <= timeS && timeS < line.tEnd)
  let shown: SampleClip['lines'][number] | undefined

  const draw = () => {
    const { timeS, isPlaying, rate } = playback
    const line = lineAt(timeS)
    byId<HTMLProgressElement>('progress').value = timeS / clip.durationS
    byId('toggle').ariaLabel = isPlaying ? 'Pause' : 'Play'
    document.body.classList.toggle('speaking', isPlaying && line !== undefined)
    if (line === shown) return
    shown = line
    byId('caption').textContent = line?.text ?? ''
    if (line && isPlaying) readAloud(line, { fromS: timeS, rate, language: clip.language })
  }
  // Frames are few where the page is out of view; the messages keep coming.
  setInterval(draw, 100)
  playback.onChange = () => {
    speechSynthesis.cancel()
    shown = undefined
    draw()
  }
  byId('toggle').addEventListener('click', () => (playback.isPlaying ? playback.pause() : playback.play()))
  if (parameters.get('enablejsapi') === '1') answerFrameMessages(playback)

  byId('title').textContent = document.title = clip.title
  byId('title').lang = byId('caption').lang = clip.language
  const sayVoice = () => {
    byId('voice').textContent = voiceOf(clip.language) ? '' : '. This browser has no voice for its language.'
  }
  speechSynthesis.addEventListener('voiceschanged', sayVoice)
  sayVoice()
  draw()
}

readClip().then(show, (error: Error) => (byId('caption').textContent = error.message))

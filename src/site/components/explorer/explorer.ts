import { html, render } from 'lit-html'
import { live as liveValue } from 'lit-html/directives/live.js'
import type { ClipPlayer } from '#client/player/clip-player.ts'
import { minutes } from '#client/player/minutes.ts'
import type { Word } from '#contract/word.ts'
import { targetOf } from '#site/build/target-of.ts'
import { showClip } from '../cards/player.ts'
import { codeView } from '../code-view.ts'
import { copyButton } from '../copy-button.ts'
import { byId, showIn } from '../elements.ts'
import { isUpTo, tick, tickedWordIds } from '../known-set.ts'
import { latestOnly } from '../latest-only.ts'
import { previewClips } from '../previews.ts'
import { sessionKey } from '../service.ts'
import {
  emptyView,
  fragmentOf,
  isComplete,
  readClips,
  readView,
  requestsOf,
  type ListedClip,
  type View,
} from './view.ts'

const form = byId<HTMLFormElement>('explorer-form')
const player = byId<ClipPlayer>('explorer-player')
const live = byId('explorer-live').querySelector('input')!
const isLive = () => live.checked && sessionKey() !== ''

const latest = latestOnly()
let view = emptyView

function viewOfForm(): View {
  return { ...emptyView, ...Object.fromEntries(new FormData(form)) }
}

/** Shows the view in the address. */
async function showAddress(): Promise<void> {
  const addressView: Partial<View> = Object.fromEntries(new URLSearchParams(location.hash.slice(1)))
  for (const [name, value] of Object.entries({ ...emptyView, ...addressView })) {
    const field = form.elements.namedItem(name) as RadioNodeList | HTMLInputElement | null
    if (field && value !== '') field.value = value
  }
  const { word = '', clip = '' } = addressView
  await show({ ...viewOfForm(), word, clip })
}

async function show(nextView: View): Promise<void> {
  view = nextView
  const kind = form.querySelector<HTMLInputElement>(`[name=view][value=${view.view}]`)!
  byId('explorer').dataset.view = view.view
  byId('explorer-search').hidden = view.view === 'feed'
  byId('explorer-list-title').textContent = kind.labels![0]!.textContent.trim()
  byId('explorer-level-label').textContent = kind.dataset.level!
  byId('explorer-level').querySelector('option')!.textContent = kind.dataset.noLevel!
  await fill(kind.dataset.clips).catch(sayFault)
  showRequests()
}

/** Fills the lists of the current view. With a list of words, shows the clips of one of them. */
async function fill(clipsTitle?: string): Promise<void> {
  if (view.view === 'known') drawTicks((await latest(previewClips(view.language))).words)
  const { words, clips, note } = await latest(readView(view, isLive()))
  say(note)
  if (view.view !== 'known') drawWords(words)
  if (clipsTitle) byId('explorer-clips-title').textContent = clipsTitle
  const word = words.find(({ wordId }) => String(wordId) === view.word) ?? words[0]
  if (clips) showClips(clips)
  else if (word) await chooseWord(words, word)
  else showClips([])
}

function say(note: string): void {
  byId('explorer-note').textContent = note
}

/** Shows why there is no response. */
function sayFault({ message }: Error): void {
  say(message)
}

/** Shows the words above the level, which visitors can tick. */
function drawTicks(words: readonly Word[]): void {
  const { language, level, q } = view
  const wordIds = tickedWordIds(language)
  const prefix = q.trim().toLowerCase()
  const unknownWords = words.filter(
    (word) => !isUpTo(word, level) && word.word.toLowerCase().startsWith(prefix),
  )
  const lines = unknownWords.map(({ wordId, word, level, meaning }) => {
    const change = ({ currentTarget }: Event) => {
      tick(language, wordId, (currentTarget as HTMLInputElement).checked)
      fill().catch(sayFault)
    }
    return html`<li>
      <label>
        <input type="checkbox" .checked=${liveValue(wordIds.has(wordId))} @change=${change} />
        <strong lang=${language}>${word}</strong><small> ${level} · ${meaning}</small>
      </label>
    </li>`
  })
  render(lines, byId('explorer-list'))
}

function drawWords(words: readonly Word[]): void {
  const lines = words.map((each) => {
    const { wordId, word, level, meaning, clipCount } = each
    return line(view.word === String(wordId), () => chooseWord(words, each).catch(sayFault), [
      html`<strong lang=${view.language}>${word}</strong>`,
      html`<small>${level} · ${clipCount === 1 ? '1 clip' : `${clipCount} clips`}</small>`,
      html`<span>${meaning}</span>`,
    ])
  })
  render(lines, byId('explorer-list'))
}

async function chooseWord(words: readonly Word[], { wordId, word }: Word): Promise<void> {
  if (view.word !== String(wordId))
    view = { ...view, clip: view.word === '' ? view.clip : '', word: String(wordId) }
  drawWords(words)
  byId('explorer-clips-title').textContent = `Clips with “${word}”`
  showClips(await latest(readClips(view, isLive())))
}

/** Shows clips in the list, and the selected or the first clip in the player. */
function showClips(clips: readonly ListedClip[]): void {
  const selectedClip = clips.find(({ clip }) => clip.clipId === view.clip) ?? clips[0]
  player.hidden = selectedClip === undefined
  if (selectedClip) return chooseClip(clips, selectedClip)
  drawClips([])
  showRequests()
}

function drawClips(clips: readonly ListedClip[]): void {
  const lines = clips.map((listedClip) => {
    const { clip, detail } = listedClip
    const play = () => {
      chooseClip(clips, listedClip)
      player.play()
      player.scrollIntoView({ block: 'nearest' })
    }
    return line(view.clip === clip.clipId, play, [
      html`<strong lang=${view.language}>${clip.title}</strong>`,
      html`<small>${clip.level} · ${minutes(clip.durationS)} · ${clip.channel.name}</small>`,
      html`<span lang=${view.language}>${detail}</span>`,
    ])
  })
  render(lines, byId('explorer-clips'))
}

function chooseClip(clips: readonly ListedClip[], { clip, startS, wordId }: ListedClip): void {
  view = { ...view, clip: clip.clipId }
  drawClips(clips)
  byId('explorer-clip-title').textContent = clip.title
  byId('explorer-clip-title').lang = clip.language
  showClip(player, clip, startS, wordId)
  showRequests()
}

function line(isChosen: boolean, choose: () => unknown, content: unknown) {
  return html`<li><button type="button" aria-pressed=${isChosen} @click=${choose}>${content}</button></li>`
}

/** Shows the requests for the current view as code, and a link to the view. */
function showRequests(): void {
  history.replaceState(null, '', fragmentOf(view))
  const code = Object.entries(requestsOf(view)).map(
    ([title, [path, parameters]]) =>
      html`<div>
        <h3>${title}</h3>
        ${codeView(targetOf(`/v1${path}`, parameters), true)}
      </div>`,
  )
  const link = copyButton('Copy a link to this view', () => location.href)
  showIn(
    'explorer-code',
    html`${code}
      <p>${link}</p>`,
  )
}

form.addEventListener('submit', (event) => event.preventDefault())
form.addEventListener('input', () => void show(viewOfForm()))
addEventListener('hashchange', () => void showAddress())
byId('explorer-live').hidden = sessionKey() === '' || isComplete()
void showAddress().then(() => (byId('explorer').dataset.ready = 'true'))

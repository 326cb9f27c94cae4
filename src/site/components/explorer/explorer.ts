import { html, nothing, render } from 'lit-html'
import { live as liveValue } from 'lit-html/directives/live.js'
import type { ClipPlayer } from '#client/player/clip-player.ts'
import { elementWith } from '#client/player/element-with.ts'
import { minutes } from '#client/player/minutes.ts'
import type { Word } from '#contract/word.ts'
import { countText } from '#kit/count-text.ts'
import { showClip } from '../cards/player.ts'
import { codeView } from '../code-view.ts'
import { copyButton } from '../copy-button.ts'
import { byId, showIn } from '../elements.ts'
import { tick, tickedWordIds } from '../known-set.ts'
import { latestOnly } from '../latest-only.ts'
import { sessionKey } from '../service.ts'
import {
  defaultLevel,
  emptyList,
  emptyView,
  fragmentOf,
  isComplete,
  readClips,
  readFeed,
  readFollowed,
  readWords,
  readWordsToLearn,
  requestsOf,
  type List,
  type ListedClip,
  type View,
} from './view.ts'

/**
 * The explorer: a form for a view, its lists, and a player. The fragment of the address contains
 * the view. Each choice of a visitor adds an entry to the session history; letters typed one after
 * another share an entry.
 */

const form = byId<HTMLFormElement>('explorer-form')
const player = byId<ClipPlayer>('explorer-player')
const levelSelect = byId<HTMLSelectElement>('explorer-level')
const live = byId('explorer-live').querySelector('input')!
const isLive = () => live.checked && sessionKey() !== ''

/** The state of the entry in the session history whose text is still being typed. */
const typingState = 'typing'

const latest = latestOnly()
let view = emptyView
/** The clip in the player, from the moment at which it starts. */
let playerClip = ''

/** Returns the view in the form. In views that need a level, selects one if none is selected. */
function viewInForm(): View {
  const values = Object.fromEntries(new FormData(form)) as Partial<View>
  const [allLevels] = levelSelect.options
  allLevels!.hidden = allLevels!.disabled = values.view !== 'words'
  if (allLevels!.disabled && levelSelect.value === '') levelSelect.value = defaultLevel
  return { ...emptyView, ...values, level: levelSelect.value }
}

/** Shows the view in the address. */
async function showAddress(): Promise<void> {
  const addressView: Partial<View> = Object.fromEntries(new URLSearchParams(location.hash.slice(1)))
  const language = byId<HTMLSelectElement>('explorer-language').options[0]!.value
  for (const [name, value] of Object.entries({ ...emptyView, language, ...addressView })) {
    const field = form.elements.namedItem(name) as RadioNodeList | HTMLInputElement | null
    if (field) field.value = value
  }
  const { word = '', clip = '' } = addressView
  await show({ ...viewInForm(), word, clip })
}

/** Shows a view that a visitor chose. */
async function choose(nextView: View, state: string | null = null): Promise<void> {
  if (state !== null && history.state === state) history.replaceState(state, '', fragmentOf(nextView))
  else history.pushState(state, '', fragmentOf(nextView))
  await show(nextView)
}

async function show(nextView: View): Promise<void> {
  view = nextView
  byId('explorer').dataset.view = view.view
  byId('explorer-level-label').textContent = view.view === 'known' ? 'All words up to' : 'Level'
  byId('explorer-search').hidden = view.view === 'feed'
  byId('explorer-max-unknown').hidden = view.view !== 'known'
  byId('explorer-list-title').textContent = listTitle(view)
  await fill().catch(sayFault)
  showRequests()
}

function listTitle({ view, level, q }: View): string {
  const ofLevel = view === 'known' ? ` above ${level}` : level === '' ? '' : ` at ${level}`
  const ofText = q.trim() === '' ? '' : ` that begin with “${q.trim()}”`
  return `Words${ofLevel}${ofText}`
}

/** Fills the lists of the current view. With a list of words, shows the clips of one of them. */
async function fill(): Promise<void> {
  if (view.view === 'words') {
    const { words, note } = await latest(readWords(view, isLive()))
    say(note)
    drawWords(words)
    const wordId = view.word || words.items[0]?.wordId
    if (wordId !== undefined) return await showWord(words, String(wordId))
    return await showClips(emptyList, 'No clips')
  }
  const isFeed = view.view === 'feed'
  if (!isFeed) drawTicks(await latest(readWordsToLearn(view)))
  const { clips, note } = await latest(isFeed ? readFeed(view, isLive()) : readFollowed(view, isLive()))
  say(note)
  await showClips(clips, isFeed ? `Feed for a learner at ${view.level}` : 'Clips you can follow')
}

function say(note: string): void {
  byId('explorer-note').textContent = note
}

/** Shows why there is no response. */
function sayFault({ message }: Error): void {
  say(message)
}

/** Shows words that visitors can tick. */
function drawTicks(words: readonly Word[]): void {
  const { language } = view
  const wordIds = tickedWordIds(language)
  const lines = words.map(({ wordId, word, level, meaning }) => {
    const change = ({ currentTarget }: Event) => {
      tick(language, wordId, (currentTarget as HTMLInputElement).checked)
      fill().then(showRequests).catch(sayFault)
    }
    return html`<li>
      <label>
        <input type="checkbox" .checked=${liveValue(wordIds.has(wordId))} @change=${change} />
        <strong lang=${language}>${word}</strong><small> ${level} · ${meaning}</small>
      </label>
    </li>`
  })
  render(lines, byId('explorer-list'))
  render(nothing, byId('explorer-more-words'))
}

function drawWords(words: List<Word>): void {
  const lines = words.items.map(({ wordId, word, level, meaning, clipCount }) => {
    const chooseWord = () => {
      history.pushState(null, '', fragmentOf({ ...view, word: String(wordId), clip: '' }))
      view = { ...view, clip: '' }
      showWord(words, String(wordId)).catch(sayFault)
    }
    return line(view.word === String(wordId), chooseWord, [
      html`<strong lang=${view.language}>${word}</strong>`,
      html`<small>${level} · ${countText(clipCount, 'clip')}</small>`,
      html`<span>${meaning}</span>`,
    ])
  })
  render(lines, byId('explorer-list'))
  render(
    moreButton('More words', words, drawWords, () => ({ ...view, word: '', clip: '' })),
    byId('explorer-more-words'),
  )
}

/** Shows the clips with a word, which can be on a page of the list that has not been read. */
async function showWord(words: List<Word>, wordId: string): Promise<void> {
  view = { ...view, word: wordId }
  drawWords(words)
  const { word, clips } = await latest(readClips(view, isLive()))
  const wordElement = elementWith('span', word.word)
  wordElement.lang = view.language
  await showClips(clips, 'Clips with “', wordElement, '”')
}

/** Shows clips in the list, and the selected or the first clip in the player. */
async function showClips(clips: List<ListedClip>, ...title: (string | Node)[]): Promise<void> {
  byId('explorer-clips-title').replaceChildren(...title)
  const isSelected = ({ clip }: ListedClip) => clip.clipId === view.clip
  let list = clips
  // The clip of a link can be on a later page.
  if (view.clip !== '')
    while (list.readMore && !list.items.some(isSelected)) list = await latest(list.readMore())
  const clip = list.items.find(isSelected) ?? clips.items[0]
  byId('explorer-no-clips').hidden = clip !== undefined
  byId('explorer-clip').hidden = clip === undefined
  if (clip) return showInPlayer(list.items.some(isSelected) ? list : clips, clip)
  view = { ...view, clip: '' }
  player.clip = null
  playerClip = ''
  drawClips(clips)
  showRequests()
}

function drawClips(clips: List<ListedClip>): void {
  const lines = clips.items.map((listedClip) => {
    const { clip, detail } = listedClip
    const play = () => {
      history.pushState(null, '', fragmentOf({ ...view, clip: clip.clipId }))
      showInPlayer(clips, listedClip)
      player.play()
      player.scrollIntoView({ block: 'nearest' })
    }
    return line(view.clip === clip.clipId, play, [
      html`<strong lang=${view.language}>${clip.title}</strong>`,
      html`<small>
        ${clip.level} · ${minutes(clip.durationS)} · <span lang=${clip.language}>${clip.channel.name}</span>
      </small>`,
      html`<span lang=${view.language}>${detail}</span>`,
    ])
  })
  render(lines, byId('explorer-clips'))
  render(
    moreButton('More clips', clips, drawClips, () => ({ ...view, clip: '' })),
    byId('explorer-more-clips'),
  )
}

function showInPlayer(clips: List<ListedClip>, { clip, startS, wordId }: ListedClip): void {
  view = { ...view, clip: clip.clipId }
  drawClips(clips)
  byId('explorer-clip-title').textContent = clip.title
  byId('explorer-clip-title').lang = clip.language
  const nextClip = [clip.clipId, startS, wordId].join()
  // A clip that is in the player already plays on.
  if (nextClip !== playerClip) showClip(player, clip, startS, wordId)
  playerClip = nextClip
  showRequests()
}

function line(isChosen: boolean, onClick: () => unknown, content: unknown) {
  return html`<li><button type="button" aria-pressed=${isChosen} @click=${onClick}>${content}</button></li>`
}

/**
 * A button that draws a list one page further, unless the list is complete. `source` returns the
 * view that the list depends on: if it changes in the meantime, nothing is drawn.
 */
function moreButton<T>(
  label: string,
  { readMore }: List<T>,
  draw: (list: List<T>) => void,
  source: () => View,
) {
  if (!readMore) return nothing
  const sourceBefore = fragmentOf(source())
  const drawMore = async () => {
    const list = await readMore()
    if (fragmentOf(source()) === sourceBefore) draw(list)
  }
  const showMore = () => void drawMore().catch(sayFault)
  return html`<button type="button" @click=${showMore}>${label}</button>`
}

/** Shows the requests for the current view as code, and a link to the view. */
function showRequests(): void {
  history.replaceState(history.state, '', fragmentOf(view))
  const code = Object.entries(requestsOf(view)).map(
    ([title, request]) =>
      html`<div>
        <h3>${title}</h3>
        ${codeView(request)}
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
form.addEventListener('input', ({ target }) => {
  if (target === live) return void show(view)
  const isText = (target as HTMLInputElement).type === 'text'
  void choose(viewInForm(), isText ? typingState : null)
})
addEventListener('popstate', () => void showAddress())
byId('explorer-live').hidden = sessionKey() === '' || isComplete
void showAddress().then(() => (byId('explorer').dataset.ready = 'true'))

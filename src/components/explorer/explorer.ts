import type { ClipPlayer } from '#client/player/clip-player.ts'
import { minutes } from '#client/player/minutes.ts'
import type { Word } from '#contract/word.ts'
import { targetOf } from '#site/target-of.ts'
import { showClip } from '../cards/player.ts'
import { codeView } from '../code-view.ts'
import { copyButton } from '../copy-button.ts'
import { button, byId, html, type Content } from '../html.ts'
import { isUpTo, tick, ticked } from '../known-set.ts'
import { latestOnly } from '../latest-only.ts'
import { previewKnown } from '../previews.ts'
import { sessionKey } from '../service.ts'
import { readClips, readFeed, readFollowed, readWords, type ListedClip } from './answers.ts'
import {
  emptyView,
  fragmentOf,
  levelOfFeed,
  maxUnknown,
  minKnownShare,
  requestsOf,
  type View,
} from './view.ts'

const form = byId<HTMLFormElement>('explorer-form')
const player = byId<ClipPlayer>('explorer-player')
const live = form.elements.namedItem('live') as HTMLInputElement
const isLive = () => live.checked && sessionKey() !== ''

const latest = latestOnly()
let view: View = { ...emptyView }

function fieldsOfForm(): Partial<View> {
  const { live: _live, ...fields } = Object.fromEntries(new FormData(form))
  return fields as Partial<View>
}

/** Shows what the address names. */
async function showAddress(): Promise<void> {
  const named = Object.fromEntries(new URLSearchParams(location.hash.slice(1))) as Partial<View>
  for (const [name, value] of Object.entries({ ...emptyView, ...named })) {
    const field = form.elements.namedItem(name) as RadioNodeList | HTMLInputElement | null
    if (field && value !== '') field.value = value
  }
  const { word = '', clip = '' } = named
  await show({ ...emptyView, ...fieldsOfForm(), word, clip })
}

/** What the headings and labels say in each kind of view. */
const titles = {
  words: { list: 'Words', level: 'Level', noLevel: 'All' },
  feed: { list: 'Feed', level: 'Level', noLevel: 'All' },
  known: { list: 'Words you know', level: 'All words up to', noLevel: 'No level' },
}

async function show(wanted: View): Promise<void> {
  view = wanted
  const { list, level, noLevel } = titles[view.view]
  byId('explorer').dataset.view = view.view
  byId('explorer-search').hidden = view.view === 'feed'
  byId('explorer-list-title').textContent = list
  byId('explorer-level-label').textContent = level
  byId('explorer-level').querySelector('option')!.textContent = noLevel
  await shows[view.view]().catch(sayFault)
  showRequests()
}

const shows: Record<View['view'], () => Promise<void>> = {
  async words() {
    const found = await latest(readWords(view, isLive()))
    note(found.note)
    drawWords(found.words)
    const word = found.words.find(({ wordId }) => String(wordId) === view.word) ?? found.words[0]
    if (word) await chooseWord(word)
    else drawClips([])
  },
  async feed() {
    const clips = await latest(readFeed(view, isLive()))
    note(`A shuffled feed for a learner at ${levelOfFeed(view)}`)
    byId('explorer-clips-title').textContent = 'Clips in the feed'
    byId('explorer-list').replaceChildren()
    drawClips(clips)
  },
  async known() {
    const { words } = await latest(previewKnown(view.language))
    drawTicks(words)
    await showFollowed()
  },
}

/** Says why there is no answer. */
function sayFault({ message }: Error): void {
  note(message)
}

function note(text: string): void {
  byId('explorer-note').textContent = text
}

/** The words to tick: those that the level does not name. */
function drawTicks(words: readonly Word[]): void {
  const { language, level, q } = view
  const wordIds = ticked(language)
  const prefix = q.trim().toLowerCase()
  const offered = words.filter((word) => !isUpTo(word, level) && word.word.toLowerCase().startsWith(prefix))
  const items = offered.map(({ wordId, word, level, meaning }) => {
    const box = html<HTMLInputElement>`<input type="checkbox" ${wordIds.has(wordId) && 'checked'} />`
    box.addEventListener('change', () => {
      tick(language, wordId, box.checked)
      showFollowed().catch(sayFault)
    })
    const name = html`<strong lang="${language}">${word}</strong>`
    return html`<li>
      <label>${box} ${name}<small> ${level} · ${meaning}</small></label>
    </li>`
  })
  byId('explorer-list').replaceChildren(...items)
}

/** Shows the clips that somebody can follow who knows the level and the ticked words. */
async function showFollowed(): Promise<void> {
  const clips = await latest(readFollowed(view, isLive()))
  byId('explorer-clips-title').textContent = 'Clips you can follow'
  drawClips(clips)
  note(
    `You know at least ${100 * minKnownShare}% of what is said in ${clips.length} clips, ` +
      `with at most ${maxUnknown} new words. To find more clips, select more words. Your selection is stored only in this browser.`,
  )
}

function drawWords(words: readonly Word[]): void {
  const items = words.map((word) => {
    const clips = word.clipCount === 1 ? '1 clip' : `${word.clipCount} clips`
    return listButton(word.wordId, () => void chooseWord(word).catch(sayFault), [
      html`<strong lang="${view.language}">${word.word}</strong>`,
      html`<small>${word.level} · ${clips}</small>`,
      html`<span>${word.meaning}</span>`,
    ])
  })
  byId('explorer-list').replaceChildren(...items)
}

async function chooseWord({ wordId, word }: Word): Promise<void> {
  if (view.word !== String(wordId))
    view = { ...view, clip: view.word === '' ? view.clip : '', word: String(wordId) }
  press('explorer-list', view.word)
  byId('explorer-clips-title').textContent = `Clips with “${word}”`
  drawClips(await latest(readClips(view, isLive())))
}

function drawClips(clips: readonly ListedClip[]): void {
  const items = clips.map((listed) => {
    const { clip, detail } = listed
    const choose = () => {
      chooseClip(listed)
      player.play()
      player.scrollIntoView({ block: 'nearest' })
    }
    return listButton(clip.clipId, choose, [
      html`<strong lang="${view.language}">${clip.title}</strong>`,
      html`<small>${clip.level} · ${minutes(clip.durationS)} · ${clip.channel.name}</small>`,
      html`<span lang="${view.language}">${detail}</span>`,
    ])
  })
  byId('explorer-clips').replaceChildren(...items)
  const chosen = clips.find(({ clip }) => clip.clipId === view.clip) ?? clips[0]
  player.hidden = chosen === undefined
  if (chosen) chooseClip(chosen)
  else showRequests()
}

function chooseClip({ clip, ...part }: ListedClip): void {
  view = { ...view, clip: clip.clipId }
  press('explorer-clips', clip.clipId)
  byId('explorer-clip-title').textContent = clip.title
  byId('explorer-clip-title').lang = clip.language
  showClip(player, clip, part)
  showRequests()
}

function listButton(id: string | number, onPress: () => void, content: Content): HTMLElement {
  const made = button(content, onPress)
  made.dataset.id = String(id)
  return html`<li>${made}</li>`
}

function press(list: string, id: string): void {
  for (const button of byId(list).querySelectorAll('button'))
    button.ariaPressed = String(button.dataset.id === id)
}

/** Shows the requests that gave what is shown, as code, and a link to it. */
function showRequests(): void {
  history.replaceState(null, '', fragmentOf(view))
  const code = requestsOf(view).map(([title, [path, parameters]]) => {
    const target = targetOf(`/v1${path}`, parameters)
    return html`<div>
      <h3>${title}</h3>
      ${codeView(target, true)}
    </div>`
  })
  const link = copyButton('Copy a link to this view', () => location.href)
  byId('explorer-code').replaceChildren(...code, html`<p>${link}</p>`)
}

form.addEventListener('submit', (event) => event.preventDefault())
form.addEventListener('input', () => void show({ ...emptyView, ...fieldsOfForm() }))
addEventListener('hashchange', () => void showAddress())
byId('explorer-live').hidden = sessionKey() === ''
void showAddress().then(() => (byId('explorer').dataset.ready = 'true'))

import type { ClipPlayer } from '#client/player/clip-player.ts'
import { minutes } from '#client/player/lines.ts'
import type { Word } from '#contract/word.ts'
import { targetOf } from '#site/target-of.ts'
import { byId, element } from '../cards/dom.ts'
import { showClip } from '../cards/player.ts'
import { codeView } from '../console/code-view.ts'
import { copyButton } from '../console/copy-button.ts'
import { isUpTo, tick, ticked } from '../known-set.ts'
import { previewKnown } from '../previews.ts'
import { sessionKey } from '../session-key.ts'
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

let view: View = { ...emptyView }
/** Counts what was asked for: an answer that comes after the next was asked for is dropped. */
let turn = 0

function fieldsOfForm(): Partial<View> {
  const { live: _live, ...fields } = Object.fromEntries(new FormData(form))
  return fields as Partial<View>
}

/** Shows what the address names. */
async function showAddress(): Promise<void> {
  const named = Object.fromEntries(new URLSearchParams(location.hash.slice(1))) as Partial<View>
  for (const [name, value] of Object.entries({ ...emptyView, ...named })) {
    const field = form.elements.namedItem(name)
    const canHold =
      field instanceof RadioNodeList ||
      field instanceof HTMLSelectElement ||
      field instanceof HTMLInputElement
    if (canHold && value !== '') field.value = value
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
  const mine = ++turn
  view = wanted
  const { list, level, noLevel } = titles[view.view]
  byId('explorer').dataset.view = view.view
  byId('explorer-search').hidden = view.view === 'feed'
  byId('explorer-list-title').textContent = list
  byId('explorer-level-label').textContent = level
  byId('explorer-level').querySelector('option')!.textContent = noLevel
  await shows[view.view](mine).catch(sayFault)
  if (mine === turn) showRequests()
}

const shows: Record<View['view'], (mine: number) => Promise<void>> = {
  async words(mine) {
    const found = await readWords(view, isLive())
    if (mine !== turn) return
    note(found.note)
    drawWords(found.words)
    const word = found.words.find(({ wordId }) => String(wordId) === view.word) ?? found.words[0]
    if (word) await chooseWord(word)
    else drawClips([])
  },
  async feed(mine) {
    const clips = await readFeed(view, isLive())
    if (mine !== turn) return
    note(`A shuffled feed for a learner at ${levelOfFeed(view)}`)
    byId('explorer-clips-title').textContent = 'Clips in the feed'
    byId('explorer-list').replaceChildren()
    drawClips(clips)
  },
  async known(mine) {
    const { words } = await previewKnown(view.language)
    if (mine !== turn) return
    drawTicks(words)
    await showFollowed()
  },
}

/** Says why there is no answer, unless another view was asked for in the meantime. */
function sayFault({ name, message }: Error): void {
  if (name !== 'AbortError') note(message)
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
    const onchange = (event: Event) => {
      tick(language, wordId, (event.target as HTMLInputElement).checked)
      showFollowed().catch(sayFault)
    }
    const box = element('input', { type: 'checkbox', checked: wordIds.has(wordId), onchange })
    const name = element('strong', { lang: language }, word)
    const about = element('small', {}, ` ${level} · ${meaning}`)
    return element('li', {}, element('label', {}, box, ' ', name, about))
  })
  byId('explorer-list').replaceChildren(...items)
}

/** Shows the clips that somebody can follow who knows the level and the ticked words. */
async function showFollowed(): Promise<void> {
  const mine = ++turn
  const clips = await readFollowed(view, isLive())
  if (mine !== turn) return
  byId('explorer-clips-title').textContent = 'Clips you can follow'
  drawClips(clips)
  note(
    `You know at least ${100 * minKnownShare}% of what is said in ${clips.length} clips, ` +
      `with at most ${maxUnknown} new words. To find more clips, select more words. Your selection is stored only in this browser.`,
  )
}

function drawWords(words: readonly Word[]): void {
  const items = words.map((word) =>
    listButton(String(word.wordId), () => void chooseWord(word).catch(sayFault), [
      element('strong', { lang: view.language }, word.word),
      element('small', {}, `${word.level} · ${word.clipCount} ${word.clipCount === 1 ? 'clip' : 'clips'}`),
      element('span', {}, word.meaning),
    ]),
  )
  byId('explorer-list').replaceChildren(...items)
}

async function chooseWord({ wordId, word }: Word): Promise<void> {
  const mine = ++turn
  if (view.word !== String(wordId))
    view = { ...view, clip: view.word === '' ? view.clip : '', word: String(wordId) }
  press('explorer-list', view.word)
  byId('explorer-clips-title').textContent = `Clips with “${word}”`
  const clips = await readClips(view, isLive())
  if (mine === turn) drawClips(clips)
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
      element('strong', { lang: view.language }, clip.title),
      element('small', {}, `${clip.level} · ${minutes(clip.durationS)} · ${clip.channel.name}`),
      element('span', { lang: view.language }, detail),
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

function listButton(id: string, onclick: () => void, children: HTMLElement[]): HTMLElement {
  return element('li', {}, element('button', { type: 'button', 'data-id': id, onclick }, ...children))
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
    return element('div', {}, element('h3', {}, title), ...codeView(location.origin, target, true))
  })
  const link = copyButton('Copy a link to this view', () => location.href)
  byId('explorer-code').replaceChildren(...code, element('p', {}, link))
}

form.addEventListener('submit', (event) => event.preventDefault())
form.addEventListener('input', () => void show({ ...emptyView, ...fieldsOfForm() }))
addEventListener('hashchange', () => void showAddress())
byId('explorer-live').hidden = sessionKey() === ''
void showAddress().then(() => (byId('explorer').dataset.ready = 'true'))

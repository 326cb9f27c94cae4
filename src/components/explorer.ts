import type { ClipPlayer } from '#client/player/clip-player.ts'
import { minutes } from '#client/player/lines.ts'
import type { FeedClip } from '#contract/clip.ts'
import type { FeedPage } from '#contract/feed.ts'
import type { WordClipPage } from '#contract/word-clips.ts'
import type { Word, WordPage } from '#contract/word.ts'
import { targetOf } from '#site/target-of.ts'
import { byId, element } from './cards/dom.ts'
import { showClip, type Part } from './cards/player.ts'
import { codeView } from './console/code-view.ts'
import { copyButton } from './console/copy-button.ts'
import { fitPreview, isUpTo, tick, ticked } from './known-set.ts'
import { previewClips, previewFeed, previewKnown, previewWords } from './previews.ts'
import { sessionKey } from './session-key.ts'

/** What the explorer shows: the address after `#` says it, so that a link leads to the same. */
interface View {
  view: 'words' | 'feed' | 'known'
  language: string
  level: string
  q: string
  /** The word that was chosen, by id. */
  word: string
  /** The clip that was chosen. */
  clip: string
}
const emptyView: View = { view: 'words', language: '', level: '', q: '', word: '', clip: '' }

/** A clip in a list, and the part of it to play. */
interface ListedClip extends Part {
  clip: FeedClip
  detail: string
}

const form = byId<HTMLFormElement>('explorer-form')
const player = byId<ClipPlayer>('explorer-player')
const live = form.elements.namedItem('live') as HTMLInputElement
const levelOfFeed = 'A2'
/** Which clips somebody can follow, as the guide has it. */
const minKnownShare = 0.9
const maxUnknown = 2

let view: View = { ...emptyView }
/** Counts what was asked for: an answer that comes after the next was asked for is dropped. */
let turn = 0

form.addEventListener('submit', (event) => event.preventDefault())
form.addEventListener('input', () => {
  const fields = Object.fromEntries(new FormData(form)) as unknown as View
  void show({ ...emptyView, ...fields })
})
addEventListener('hashchange', () => void showAddress())
byId('explorer-live').hidden = sessionKey() === ''
void showAddress().then(() => (byId('explorer').dataset.ready = 'true'))

/** Shows what the address names. */
async function showAddress(): Promise<void> {
  const named = Object.fromEntries(new URLSearchParams(location.hash.slice(1))) as Partial<View>
  for (const [name, value] of Object.entries({ ...emptyView, ...named })) {
    const field = form.elements.namedItem(name)
    if (
      value !== '' &&
      (field instanceof RadioNodeList ||
        field instanceof HTMLSelectElement ||
        field instanceof HTMLInputElement)
    )
      field.value = value
  }
  const fields = Object.fromEntries(new FormData(form)) as unknown as View
  await show({ ...emptyView, ...fields, word: named.word ?? '', clip: named.clip ?? '' })
}

async function show(wanted: View): Promise<void> {
  const mine = ++turn
  view = { ...emptyView }
  for (const name of Object.keys(emptyView) as (keyof View)[]) Object.assign(view, { [name]: wanted[name] })
  byId('explorer-search').hidden = view.view === 'feed'
  const isFeed = view.view === 'feed'
  byId('explorer').dataset.view = view.view
  const isKnown = view.view === 'known'
  byId('explorer-list-title').textContent = isFeed ? 'Feed' : isKnown ? 'Words you know' : 'Words'
  byId('explorer-level-label').textContent = isKnown ? 'You know all up to' : 'Level'
  byId('explorer-level').querySelector('option')!.textContent = isKnown ? 'No level' : 'All'
  try {
    if (isFeed) {
      const page = await readFeed()
      if (mine === turn) drawClips(clipsOfFeed(page))
    } else if (isKnown) {
      const { words } = await previewKnown(view.language)
      if (mine !== turn) return
      drawTicks(words)
      await showFollowed()
    } else {
      const words = await readWords()
      if (mine !== turn) return
      drawWords(words)
      const word = words.find(({ wordId }) => String(wordId) === view.word) ?? words[0]
      if (word) await chooseWord(word)
      else drawClips([])
    }
  } catch (error) {
    if (mine === turn) byId('explorer-note').textContent = (error as Error).message
  }
  showRequests()
}

async function ask<T>(path: string, parameters: Record<string, string>): Promise<T> {
  const headers = { Authorization: `Bearer ${sessionKey()}` }
  const response = await fetch(targetOf(path, parameters), { headers })
  const body = (await response.json()) as T & { error?: { message: string } }
  if (!response.ok) throw new Error(body.error?.message)
  return body
}

function isLive(): boolean {
  return live.checked && sessionKey() !== ''
}

/** The parameters of a request that are not empty. */
function given(parameters: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== ''))
}

function wordsQuery(): Record<string, string> {
  return given({ language: view.language, level: view.level, q: view.q, limit: '100' })
}

function feedQuery(): Record<string, string> {
  return given({ language: view.language, level: view.level || levelOfFeed, seed: 'preview', limit: '6' })
}

function knownQuery(): Record<string, string> {
  const { language, level } = view
  const known = [...(level === '' ? [] : [level]), ...ticked(language)].join()
  const least = { minKnownShare: String(minKnownShare), maxUnknown: String(maxUnknown) }
  return given({ language, known, ...least, seed: 'preview' })
}

async function readWords(): Promise<Word[]> {
  if (isLive()) return (await ask<WordPage>('/v1/words', wordsQuery())).words
  const words = await previewWords(view.language)
  const q = view.q.trim().toLowerCase()
  const found = words.filter(
    ({ word, level }) => (view.level === '' || level === view.level) && word.toLowerCase().startsWith(q),
  )
  byId('explorer-note').textContent =
    sessionKey() === ''
      ? `${found.length} of the ${words.length} most frequent words. With a key: every word.`
      : `${found.length} of the ${words.length} most frequent words`
  return found
}

async function readFeed(): Promise<FeedPage> {
  byId('explorer-note').textContent = `A shuffle for a learner at ${view.level || levelOfFeed}`
  if (isLive()) return await ask<FeedPage>('/v1/feed', feedQuery())
  return await previewFeed(view.language, view.level || levelOfFeed)
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
      showFollowed().catch((error: Error) => (byId('explorer-note').textContent = error.message))
    }
    const box = element('input', { type: 'checkbox', checked: wordIds.has(wordId), onchange })
    const name = element('strong', { lang: language }, word)
    return element(
      'li',
      {},
      element('label', {}, box, ' ', name, element('small', {}, ` ${level} · ${meaning}`)),
    )
  })
  byId('explorer-list').replaceChildren(...items)
}

/** Shows the clips that somebody can follow who knows the level and the ticked words. */
async function showFollowed(): Promise<void> {
  const mine = ++turn
  const clips = await readFollowed()
  if (mine !== turn) return
  byId('explorer-clips-title').textContent = 'Clips you can follow'
  drawClips(clips)
  byId('explorer-note').textContent =
    `You know at least ${100 * minKnownShare} % of what is said in ${clips.length} clips, ` +
    `with at most ${maxUnknown} new words. Tick more words to get more. The ticks stay in this browser.`
}

async function readFollowed(): Promise<ListedClip[]> {
  const { language, level } = view
  const share = (knownShare: number) => `${Math.round(100 * knownShare)} % known`
  if (isLive() && 'known' in knownQuery()) {
    const { items } = await ask<FeedPage>('/v1/feed', knownQuery())
    return items.map(({ clip, focusWord, knownShare = 1, unknownCount }) => ({
      clip,
      detail: `${share(knownShare)}, ${unknownCount} new${focusWord ? `: ${focusWord.word}` : ''}`,
      startS: focusWord?.tStart,
      wordId: focusWord?.wordId,
    }))
  }
  return (await fitPreview(language, level))
    .filter(({ knownShare, newWords }) => knownShare >= minKnownShare && newWords.length <= maxUnknown)
    .map(({ clip, knownShare, newWords, tStart }) => ({
      clip,
      detail: [share(knownShare), ...newWords.map(({ word, meaning }) => `${word}: ${meaning}`)].join(' · '),
      startS: tStart,
      wordId: newWords[0]?.wordId,
    }))
}

function drawWords(words: readonly Word[]): void {
  const items = words.map((word) =>
    listButton(String(word.wordId), () => void chooseWord(word), [
      element('strong', { lang: view.language }, word.word),
      element('small', {}, `${word.level} · ${word.clipCount} ${word.clipCount === 1 ? 'clip' : 'clips'}`),
      element('span', {}, word.meaning),
    ]),
  )
  byId('explorer-list').replaceChildren(...items)
}

async function chooseWord(word: Word): Promise<void> {
  const mine = ++turn
  const { language } = view
  if (view.word !== String(word.wordId))
    view = { ...view, clip: view.word === '' ? view.clip : '', word: String(word.wordId) }
  press('explorer-list', view.word)
  byId('explorer-clips-title').textContent = `Clips that say “${word.word}”`
  const page = isLive()
    ? await ask<WordClipPage>('/v1/words/{word}/clips', { word: view.word, language, limit: '20' })
    : await previewClips(language, word.wordId)
  if (mine !== turn) return
  drawClips(
    page.items.map(({ clip, occurrences }) => ({
      clip,
      detail: occurrences[0]?.text ?? '',
      startS: occurrences[0]?.tStart,
      wordId: word.wordId,
    })),
  )
}

function clipsOfFeed({ items }: FeedPage): ListedClip[] {
  byId('explorer-clips-title').textContent = 'Clips of the feed'
  byId('explorer-list').replaceChildren()
  return items.map(({ clip, focusWord }) => ({
    clip,
    detail: focusWord ? `${focusWord.word} (${focusWord.level}): ${focusWord.meaning}` : 'No focus word',
    startS: focusWord?.tStart,
    wordId: focusWord?.wordId,
  }))
}

function drawClips(clips: readonly ListedClip[]): void {
  const items = clips.map((listed) => {
    const choose = () => {
      chooseClip(listed)
      player.play()
      player.scrollIntoView({ block: 'nearest' })
    }
    return listButton(listed.clip.clipId, choose, [
      element('strong', { lang: view.language }, listed.clip.title),
      element(
        'small',
        {},
        `${listed.clip.level} · ${minutes(listed.clip.durationS)} · ${listed.clip.channel.name}`,
      ),
      element('span', { lang: view.language }, listed.detail),
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

/** The requests that gave what is shown, as code, and a link to it. */
function showRequests(): void {
  const { language, word, clip } = view
  const requests: [title: string, target: string][] =
    view.view === 'feed'
      ? [['The feed', targetOf('/v1/feed', feedQuery())]]
      : view.view === 'known'
        ? 'known' in knownQuery()
          ? [['The feed', targetOf('/v1/feed', knownQuery())]]
          : []
        : [
            ['The words', targetOf('/v1/words', wordsQuery())],
            ...(word === ''
              ? []
              : [['Its clips', targetOf('/v1/words/{word}/clips', { word, language })] as [string, string]]),
          ]
  if (clip !== '')
    requests.push(['The transcript', targetOf('/v1/clips/{clipId}/transcript', { clipId: clip })])
  const fragment = new URLSearchParams(given({ ...view })).toString()
  history.replaceState(null, '', `#${fragment}`)
  byId('explorer-code').replaceChildren(
    ...requests.map(([title, target]) =>
      element('div', {}, element('h3', {}, title), ...codeView(location.origin, target, true)),
    ),
    element(
      'p',
      {},
      copyButton('Copy a link to this view', () => location.href),
    ),
  )
}

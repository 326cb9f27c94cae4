import { ticked } from '../known-set.ts'

/** What the explorer shows: the address after `#` says it, so that a link leads to the same. */
export interface View {
  view: 'words' | 'feed' | 'known'
  language: string
  level: string
  q: string
  /** The word that was chosen, by id. */
  word: string
  /** The clip that was chosen. */
  clip: string
}
export const emptyView: View = { view: 'words', language: '', level: '', q: '', word: '', clip: '' }

/** Which clips somebody can follow, as the guide has it. */
export const minKnownShare = 0.9
export const maxUnknown = 2

/** The level of a feed for which none was chosen. */
export const levelOfFeed = ({ level }: View) => level || 'A2'

/** A request: a path, and the parameters that go into it or into its query. */
export type Request = [path: string, parameters: Record<string, string>]

export function wordsRequest({ language, level, q }: View): Request {
  return ['/words', given({ language, level, q, limit: '100' })]
}

export function clipsRequest({ language, word }: View): Request {
  return ['/words/{word}/clips', { word, language, limit: '20' }]
}

export function feedRequest(view: View): Request {
  return ['/feed', { language: view.language, level: levelOfFeed(view), seed: 'preview', limit: '6' }]
}

/** The feed of the clips that somebody can follow; null while no level and no word is known. */
export function knownRequest({ language, level }: View): Request | null {
  const known = [...(level === '' ? [] : [level]), ...ticked(language)].join()
  const least = { minKnownShare: String(minKnownShare), maxUnknown: String(maxUnknown) }
  return known === '' ? null : ['/feed', { language, known, ...least, seed: 'preview' }]
}

/** The requests that give what is shown, each with what it gives. */
export function requestsOf(view: View): [title: string, request: Request][] {
  const { word, clip: clipId } = view
  const isOfWords = view.view === 'words'
  const requests: [string, Request | null][] = [
    ['Words', isOfWords ? wordsRequest(view) : null],
    ['Clips with the word', isOfWords && word !== '' ? clipsRequest(view) : null],
    ['Feed', view.view === 'feed' ? feedRequest(view) : view.view === 'known' ? knownRequest(view) : null],
    ['Transcript', clipId === '' ? null : ['/clips/{clipId}/transcript', { clipId }]],
  ]
  return requests.filter((each): each is [string, Request] => each[1] !== null)
}

/** The address of the view on the page, without what is empty. */
export function fragmentOf(view: View): string {
  return `#${new URLSearchParams(given({ ...view })).toString()}`
}

function given(parameters: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== ''))
}

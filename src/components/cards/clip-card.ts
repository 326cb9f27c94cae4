import type { FeedClip } from '#contract/clip.ts'
import { minutes } from '#client/player/minutes.ts'
import { html, type Content } from '../html.ts'
import { clipPlayer } from './player.ts'

/** A moment of a clip: when something is said and, where that is known, the sentence it is in. */
export interface Moment {
  tStart: number
  /** Where the moment is a point in time, the same as `tStart`. */
  tEnd: number
  text?: string
  /** What is said is at these characters of the text. */
  start?: number
  end?: number
}

/** A clip as cards show it; `note` says more below the moments. */
export interface ShownClip {
  clip: FeedClip
  moments: readonly Moment[]
  /** The word to underline in its lines. */
  wordId?: number | undefined
  note: Content
}

/** A clip with a player that starts at its first moment, and its moments on a bar of its length. */
export function clipCard({ clip, moments, note, wordId }: ShownClip): HTMLElement {
  const [first] = moments
  return html`<li class="clip-card">
    ${clipPlayer(clip, { startS: first?.tStart, wordId })}
    <div class="about">
      <h3 lang="${clip.language}">${clip.title}</h3>
      ${
        first?.text !== undefined &&
        html`<p class="sentence" lang="${clip.language}">
          ${highlighted(first.text, first.start, first.end)}
        </p>`
      }
      ${note} ${first && timeline(clip, moments, first)}
    </div>
  </li>`
}

/** A sentence whose characters `start … end`, counted in code points, are highlighted. */
export function highlighted(sentence: string, start = 0, end = 0): Content {
  const part = (from: number, to?: number) => [...sentence].slice(from, to).join('')
  return [part(0, start), html`<mark>${part(start, end)}</mark>`, part(end)]
}

/** The bar of the clip's length, with a mark at each moment, and a link to the first of them. */
function timeline({ durationS, watchUrl }: FeedClip, moments: readonly Moment[], first: Moment): HTMLElement {
  const percent = (seconds: number) => `${(seconds / durationS) * 100}%`
  const marks = moments.map(
    ({ tStart, tEnd }) =>
      html`<span
        style="inset-inline-start: ${percent(tStart)}; inline-size: ${percent(tEnd - tStart)}"
      ></span>`,
  )
  const url = new URL(watchUrl)
  url.searchParams.set('t', `${Math.floor(first.tStart)}s`)
  const link = html`<a href="${url.href}" rel="noreferrer" target="_blank">${minutes(first.tStart)}</a>`
  return html`<div class="timeline">
    <div class="bar" aria-hidden="true">${marks}</div>
    <p>at ${link} of ${minutes(durationS)}</p>
  </div>`
}

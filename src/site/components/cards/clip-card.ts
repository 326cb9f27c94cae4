import { html, nothing } from 'lit-html'
import type { FeedClip } from '#contract/clip.ts'
import type { FocusWord } from '#contract/feed.ts'
import { highlight } from '#client/helpers/highlight.ts'
import { watchUrlAt } from '#client/helpers/moments.ts'
import { minutes } from '#client/player/minutes.ts'
import { showClip } from './player.ts'

/** The time of an occurrence in a clip and, if known, its position in a sentence. */
export type Moment = Pick<FocusWord, 'tStart' | 'tEnd' | 'text' | 'start' | 'end'>

/**
 * Draws a clip with a player that starts at its first moment, its moments on a bar, and a note
 * below them. The word with an id is underlined in the lines.
 */
export function clipCard(clip: FeedClip, moments: readonly Moment[], note: unknown, wordId?: number) {
  const [first] = moments
  const player = document.createElement('clip-player')
  player.setAttribute('preload', 'none')
  showClip(player, clip, first?.tStart, wordId)
  const sentence =
    first?.text === undefined
      ? nothing
      : html`<p class="sentence" lang=${clip.language}>
          ${highlightedSentence(first.text, first.start, first.end)}
        </p>`
  return html`<li class="clip-card">
    ${player}
    <div class="about">
      <h3 lang=${clip.language}>${clip.title}</h3>
      ${sentence} ${note} ${first ? timeline(clip, moments, first) : nothing}
    </div>
  </li>`
}

/** A sentence whose characters `start … end`, counted in code points, are highlighted. */
export function highlightedSentence(sentence: string, start = 0, end = 0) {
  const { before, match, after } = highlight(sentence, start, end)
  return html`${before}<mark>${match}</mark>${after}`
}

/** Draws a bar for the clip, with a mark at each moment, and a link to the first of them. */
function timeline(clip: FeedClip, moments: readonly Moment[], first: Moment) {
  const { durationS } = clip
  const percent = (seconds: number) => `${(seconds / durationS) * 100}%`
  const marks = moments.map(
    ({ tStart, tEnd = tStart }) =>
      html`<span
        style="inset-inline-start: ${percent(tStart)}; inline-size: ${percent(tEnd - tStart)}"
      ></span>`,
  )
  const url = watchUrlAt(clip, first.tStart)
  const link = html`<a href=${url} rel="noreferrer" target="_blank">${minutes(first.tStart)}</a>`
  return html`<div class="timeline">
    <div class="bar" aria-hidden="true">${marks}</div>
    <p>at ${link} of ${minutes(durationS)}</p>
  </div>`
}

import type { Cue, Transcript } from '../operations.ts'

/** The options of a subtitle file. */
export interface SubtitleOptions {
  /**
   * The language of the translations to write instead of the lines. Lines without a translation are
   * left out.
   */
  translation?: string | undefined
}

/** Writes a transcript as a SubRip file (.srt). */
export function toSrt(transcript: Transcript, options: SubtitleOptions = {}): string {
  const lines = shownLines(transcript, options)
  return lines
    .map(({ cue, text }, i) => `${i + 1}\n${clock(cue.tStart, ',')} --> ${clock(cue.tEnd, ',')}\n${text}\n`)
    .join('\n')
}

/** Writes a transcript as a WebVTT file (.vtt; https://www.w3.org/TR/webvtt1/). */
export function toWebVtt(transcript: Transcript, options: SubtitleOptions = {}): string {
  const lines = shownLines(transcript, options).map(({ cue, text }) => {
    const escapedText = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    return `\n${clock(cue.tStart, '.')} --> ${clock(cue.tEnd, '.')}\n${escapedText}\n`
  })
  return `WEBVTT\n${lines.join('')}`
}

function shownLines({ cues }: Transcript, { translation }: SubtitleOptions) {
  const textOf = (cue: Cue) => (translation === undefined ? cue.text : cue.translations?.[translation])
  return cues.flatMap((cue) => {
    // An empty line would end the cue.
    const text = textOf(cue)
      ?.replace(/(\s*\n)+/g, '\n')
      .trim()
    return text ? [{ cue, text }] : []
  })
}

/** Writes a time in seconds as hours, minutes, seconds and milliseconds. */
function clock(timeS: number, point: ',' | '.'): string {
  const ms = Math.round(timeS * 1000)
  const two = (value: number) => String(Math.floor(value) % 60).padStart(2, '0')
  const hours = String(Math.floor(ms / 3_600_000)).padStart(2, '0')
  return `${hours}:${two(ms / 60_000)}:${two(ms / 1000)}${point}${String(ms % 1000).padStart(3, '0')}`
}

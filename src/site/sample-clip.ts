/** A clip of the sample player, in `sample-player/<videoId>.json`. Times are in seconds. */
export interface SampleClip {
  title: string
  language: string
  durationS: number
  /** All clips of a channel are spoken by one voice. */
  channelId: string
  lines: SampleLine[]
}

export interface SampleLine {
  tStart: number
  tEnd: number
  text: string
  /** The text for a speech synthesiser, if it cannot read `text`. */
  speech?: string
}

/** A clip with the path of its audio, which contains a digest of what the audio is made from. */
export interface PlayableClip extends SampleClip {
  audioPath: string
}

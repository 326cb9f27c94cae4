/** What the sample player plays: the lines of a clip, at their times in seconds. */
export interface SampleClip {
  title: string
  language: string
  durationS: number
  lines: { tStart: number; tEnd: number; text: string }[]
}

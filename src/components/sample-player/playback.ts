/** The time of a clip that plays, in seconds; `onChange` hears of every change but time passing. */
export class Playback {
  onChange = () => {}
  isPlaying = false
  rate = 1
  readonly durationS: number
  #timeS: number
  #atMs = 0
  #ending: ReturnType<typeof setTimeout> | undefined

  constructor(durationS: number, startS: number) {
    this.durationS = durationS
    this.#timeS = Math.min(startS, durationS)
  }

  get timeS(): number {
    const sinceS = this.isPlaying ? ((performance.now() - this.#atMs) / 1000) * this.rate : 0
    return Math.min(this.#timeS + sinceS, this.durationS)
  }

  get isOver(): boolean {
    return !this.isPlaying && this.timeS >= this.durationS
  }

  play(): void {
    this.#set(true, this.timeS >= this.durationS ? 0 : this.timeS)
  }

  pause(): void {
    this.#set(false, this.timeS)
  }

  seek(timeS: number): void {
    this.#set(this.isPlaying, Math.max(0, timeS))
  }

  setRate(rate: number): void {
    const { timeS } = this
    this.rate = rate
    this.#set(this.isPlaying, timeS)
  }

  #set(isPlaying: boolean, timeS: number): void {
    this.#timeS = timeS
    this.#atMs = performance.now()
    this.isPlaying = isPlaying
    clearTimeout(this.#ending)
    const leftMs = ((this.durationS - timeS) / this.rate) * 1000
    if (isPlaying) this.#ending = setTimeout(() => this.pause(), leftMs)
    this.onChange()
  }
}

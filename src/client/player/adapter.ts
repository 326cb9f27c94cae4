/** What a player reports; only what has changed is there. */
export interface Report {
  isReady?: boolean
  timeS?: number
  isPlaying?: boolean
  /** The clip has come to its end. */
  isOver?: boolean
  rate?: number
}

/** The controls of a player that runs in a frame. */
export interface Controls {
  play(): void
  pause(): void
  seek(timeS: number): void
  setRate(rate: number): void
  /** Stops listening to the frame. */
  disconnect(): void
}

/** How to talk to the player of one video platform. Register one with `ClipPlayer.adapters`. */
export interface Adapter {
  /** Whether it can play what is at this embed URL. */
  matches(embedUrl: URL): boolean
  /** The address for the frame, which starts the video near a second. */
  frameUrl(embedUrl: URL, startS: number): URL
  /** The address of the platform's picture of the video, shown until the video is played. */
  posterUrl?(embedUrl: URL): URL | null
  /** Talks to the player in a frame that is about to load. */
  connect(frame: HTMLIFrameElement, onReport: (report: Report) => void): Controls
}

/** The state that a player reports. Only the fields that have changed are present. */
export interface Report {
  isReady?: boolean
  timeS?: number
  isPlaying?: boolean
  /** Whether the clip has ended. */
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

/** A connection to the players of one video platform. Register it in `ClipPlayer.adapters`. */
export interface Adapter {
  /** Whether it can play the video at this embed URL. */
  matches(embedUrl: URL): boolean
  /** The address for the frame, which starts the video near a time. */
  frameUrl(embedUrl: URL, startS: number): URL
  /** The address of the platform's picture of the video, shown until the video is played. */
  posterUrl?(embedUrl: URL): URL | null
  /** Connects to the player in a frame that is about to load. */
  connect(frame: HTMLIFrameElement, onReport: (report: Report) => void): Controls
}

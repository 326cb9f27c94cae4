declare module '@joplin/turndown-plugin-gfm' {
  import type { Plugin } from 'turndown'
  export const gfm: Plugin
}

declare module '@echogarden/espeak-ng-emscripten' {
  interface Worker {
    /** Returns 0 if there is such a voice. */
    set_voice(name: string): number
    set_pitch(pitch: number): void
    /** Sets the speed in words per minute. */
    set_rate(rate: number): void
    /** Calls `onChunk` with each piece of the sound, until it returns true. */
    synthesize(text: string, onChunk: (samples: Int16Array) => boolean): void
  }
  export default function load(): Promise<{ eSpeakNGWorker: new () => Worker }>
}

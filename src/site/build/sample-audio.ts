import { readFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { atomicWrite } from '#kit/atomic-write.ts'
import { nameDigest } from '#kit/digest.ts'
import { namesIn } from '#kit/not-found.ts'
import { sampleAudioFolder } from '#release/paths.ts'
import { sitePath } from '#release/site-files.ts'
import type { PlayableClip, SampleClip } from '../sample-clip.ts'
import { loadSynthesiser, sampleRate, speakClip } from './speech.ts'

/** The version of the sound, increased with each change, so that existing files are replaced. */
const audioVersion = 1

const kilobitsPerSecond = 32
/** The delay of a decoder after the encoder's input, in samples. */
const codecDelay = 1_105

/** Returns the path from which the site plays the audio of a clip. */
export function sampleAudioPath(videoId: string, clip: SampleClip): string {
  return `/sample-audio/${videoId}-${nameDigest(JSON.stringify([audioVersion, clip]))}.mp3`
}

/**
 * Creates the missing audio of the sample clips that a site plays, and removes the audio of clips
 * that no longer exist. Each file is complete as soon as it exists. A tree without sample clips
 * does not change.
 *
 * @param onBegin called with the number of clips without audio, if there are any
 * @returns the size of the new files in bytes
 * @throws the error of Node if the packages for audio are not installed
 */
export async function makeSampleAudio(
  treeFolder: string,
  onBegin: (clipCount: number) => void = () => {},
): Promise<number> {
  const clipFolder = join(treeFolder, sitePath, 'sample-player')
  const audioFolder = join(treeFolder, sampleAudioFolder)
  const clipNames = (await namesIn(clipFolder)).filter((name) => name.endsWith('.json'))
  const clips = await Promise.all(
    clipNames.map(async (name) => JSON.parse(await readFile(join(clipFolder, name), 'utf8')) as PlayableClip),
  )
  const currentNames = new Set(clips.map(({ audioPath }) => basename(audioPath)))
  const oldNames = new Set(await namesIn(audioFolder))
  for (const name of oldNames) if (!currentNames.has(name)) await rm(join(audioFolder, name))
  const silentClips = clips.filter(({ audioPath }) => !oldNames.has(basename(audioPath)))
  if (silentClips.length === 0) return 0
  const { synthesiser, encode } = await loadTools()
  onBegin(silentClips.length)
  let sizeBytes = 0
  for (const clip of silentClips) {
    const mp3 = encode(speakClip(synthesiser, clip).subarray(codecDelay))
    await atomicWrite(join(audioFolder, basename(clip.audioPath)), mp3, { sync: false })
    sizeBytes += mp3.length
  }
  return sizeBytes
}

async function loadTools() {
  const [{ createMp3Encoder }, synthesiser] = await Promise.all([
    import('wasm-media-encoders'),
    loadSynthesiser(),
  ])
  const encoder = await createMp3Encoder()
  const encode = (samples: Float32Array): Buffer => {
    encoder.configure({ sampleRate, channels: 1, bitrate: kilobitsPerSecond })
    // The encoder reuses the memory of its result.
    const begin = Buffer.from(encoder.encode([samples]))
    return Buffer.concat([begin, encoder.finalize()])
  }
  return { synthesiser, encode }
}

import { readFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { atomicWrite } from '#kit/atomic-write.ts'
import { nameDigest } from '#kit/digest.ts'
import { namesIn } from '#kit/not-found.ts'
import { sampleAudioFolder } from '#release/paths.ts'
import { sitePath } from '#release/site-files.ts'
import type { PlayableClip, SampleClip } from '../sample-clip.ts'
import { sampleRate, Speech } from './speech.ts'

/** Increase it when clips sound different, so that those that exist are replaced. */
const audioVersion = 1

const kilobitsPerSecond = 32
/** How much later a decoder plays what the encoder was given, in samples. */
const codecDelay = 1_105

/** Returns the path from which the site plays the sound of a clip. */
export function sampleAudioPath(videoId: string, clip: SampleClip): string {
  return `/sample-audio/${videoId}-${nameDigest(JSON.stringify([audioVersion, clip]))}.mp3`
}

/**
 * Makes the sound of the sample clips that a site plays, where it is missing, and removes the sound
 * of clips that are gone. Each file is complete as soon as it exists. A tree without sample clips
 * stays as it is.
 *
 * @param onBegin called with the number of clips without sound, if there are any
 * @returns the size of the new files in bytes
 * @throws the error of Node if the packages that make sound are not installed
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
  const { speech, encode } = await loadTools()
  onBegin(silentClips.length)
  let sizeBytes = 0
  for (const clip of silentClips) {
    const mp3 = encode(speech.speakClip(clip).subarray(codecDelay))
    await atomicWrite(join(audioFolder, basename(clip.audioPath)), mp3, { sync: false })
    sizeBytes += mp3.length
  }
  return sizeBytes
}

async function loadTools() {
  const [{ createMp3Encoder }, speech] = await Promise.all([import('wasm-media-encoders'), Speech.load()])
  const encoder = await createMp3Encoder()
  const encode = (samples: Float32Array): Buffer => {
    encoder.configure({ sampleRate, channels: 1, bitrate: kilobitsPerSecond })
    // The encoder uses the memory of its result again.
    const begin = Buffer.from(encoder.encode([samples]))
    return Buffer.concat([begin, encoder.finalize()])
  }
  return { speech, encode }
}

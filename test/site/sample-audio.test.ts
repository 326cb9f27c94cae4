import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { sampleAudioFolder } from '#release/paths.ts'
import { makeSampleAudio } from '#site/build/sample-audio.ts'
import { kanaOf } from '#site/build/speech-text.ts'
import type { PlayableClip } from '#site/sample-clip.ts'
import { longTest } from '../harness/fault-rounds.ts'
import { browserProgram, sharedBrowser } from '../harness/browser.ts'
import { buildSiteTree, siteTree, startSiteService } from '../harness/site-service.ts'
import { sharedFolder, tempFolder } from '../harness/temp-folder.ts'

const videoId = 'en-at-the-bakery'
const clipFile = join('site', 'sample-player', `${videoId}.json`)

const folder = sharedFolder()

/** The loudness of the audio, as root mean squares of its samples. */
interface Loudness {
  durationS: number
  /** The loudness in each line. */
  inLines: number[]
  /** The loudness between each line and the next one. */
  betweenLines: number[]
}

test('kana replace kanji and are written as they are pronounced', () => {
  const words = [
    { text: '私', start: 0, end: 1, reading: 'わたし', tStart: 0, tEnd: 1 },
    { text: 'は', start: 1, end: 2, tStart: 1, tEnd: 2 },
    { text: '走', start: 3, end: 4, tStart: 2, tEnd: 3 },
  ]
  expect(kanaOf({ text: '私は、走！', words })).toBe('わたしわ、！')
})

describe.skipIf(!browserProgram)('the audio of a sample clip', () => {
  const browser = sharedBrowser()
  let clip: PlayableClip
  let file: string

  beforeAll(async () => {
    await buildSiteTree()
    mkdirSync(join(folder, 'site', 'sample-player'), { recursive: true })
    cpSync(join(siteTree, clipFile), join(folder, clipFile))
    clip = JSON.parse(readFileSync(join(siteTree, clipFile), 'utf8')) as PlayableClip
    file = join(sampleAudioFolder, basename(clip.audioPath))
    await makeSampleAudio(folder)
  })

  test('has the duration of the clip, speech in its lines and silence between them', async () => {
    const page = await browser.newPage()
    const mp3 = readFileSync(join(folder, file)).toString('base64')
    const { durationS, inLines, betweenLines } = await page.evaluate(
      async ({ mp3, lines }): Promise<Loudness> => {
        const bytes = Uint8Array.from(atob(mp3), (character) => character.charCodeAt(0))
        const context = new OfflineAudioContext(1, 1, 22_050)
        const sound = await context.decodeAudioData(bytes.buffer)
        const samples = sound.getChannelData(0)
        const loudness = (fromS: number, toS: number) => {
          const part = samples.subarray(fromS * sound.sampleRate, toS * sound.sampleRate)
          return Math.hypot(...part) / Math.sqrt(part.length)
        }
        return {
          durationS: sound.duration,
          inLines: lines.map(({ tStart, tEnd }) => loudness(tStart, tEnd)),
          betweenLines: lines.slice(1).map(({ tStart }) => loudness(tStart - 0.05, tStart)),
        }
      },
      { mp3, lines: clip.lines },
    )
    expect(Math.abs(durationS - clip.durationS)).toBeLessThan(0.2)
    expect(inLines).toHaveLength(clip.lines.length)
    expect(Math.min(...inLines)).toBeGreaterThan(0.02)
    expect(Math.max(...betweenLines)).toBeLessThan(0.002)
  })

  test('is created once, and removed with its clip', async () => {
    expect(await makeSampleAudio(folder)).toBe(0)
    const tree = tempFolder()
    cpSync(join(folder, sampleAudioFolder), join(tree, sampleAudioFolder), { recursive: true })
    expect(await makeSampleAudio(tree)).toBe(0)
    expect(readdirSync(join(tree, sampleAudioFolder))).toEqual([])
  })

  longTest('is played as soon as it exists; until then, the player says that there is none', async () => {
    const path = join(siteTree, file)
    const remove = () => rmSync(path, { force: true })
    remove()
    onTestFinished(remove)
    const service = await startSiteService(folder)
    onTestFinished(() => service.stop())
    const page = await browser.newPage()
    await page.goto(`${service.origin}/sample-player/?v=${videoId}`)
    await page.getByText('without sound so far').waitFor()
    await page.getByRole('button', { name: 'Play without sound' }).click()
    await page.getByText(clip.lines[0]!.text).waitFor()
    cpSync(join(folder, file), path)
    await page.getByText('with a synthetic voice').waitFor()
    const audio = page.locator('audio')
    const hasPlayedUpTo = (timeS: number) =>
      page.waitForFunction((timeS) => document.querySelector('audio')!.currentTime > timeS, timeS)
    // The clip was playing, so its audio starts at the clip's position.
    await hasPlayedUpTo(clip.lines[1]!.tStart)
    expect(await audio.evaluate((element: HTMLAudioElement) => element.paused)).toBe(false)
    const caption = await page.locator('#caption').innerText()
    expect(clip.lines.slice(1).map(({ text }) => text)).toContain(caption)
    await page.getByRole('button', { name: 'Pause' }).click()
    expect(await audio.evaluate((element: HTMLAudioElement) => element.paused)).toBe(true)
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
  })
})

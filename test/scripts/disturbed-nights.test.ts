import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { cp, mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { readCurrent } from '#release/release.ts'
import { folderTree } from '#release/tree.ts'
import { faultsOf } from '../harness/faults-of.ts'
import { programPath } from '../harness/command.ts'
import { Chance } from '../harness/chance.ts'
import { faultMoments, faultRounds } from '../harness/fault-rounds.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { catalogue, clip, corpus, epochS, filesOf, word } from '../build/small-corpus.ts'

const settings = { PATH: process.env.PATH, SOURCE_DATE_EPOCH: String(epochS) }

/** So much text that a night is given to threads. */
function longClip(videoId: string, n: number) {
  const cues = Array.from({ length: 60 }, (_, i) => ({
    tStart: i,
    tEnd: i + 1,
    text: `The cat ${n} runs after a moon ${'– '.repeat(70)}and on.`,
  }))
  return clip(videoId, '', { cues, durationS: 60 })
}

const chance = new Chance(1998)
let folder: string
let before: string
let undisturbed: Record<string, string>
/** What a night takes that nobody disturbs. */
let tookMs: number
const at = (name: string) => join(folder, name)

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'clip-lookup-'))
  const first = Array.from({ length: 60 }, (_, i) => longClip(`v${i}`, i))
  const second = Array.from({ length: 250 }, (_, i) => longClip(`v${i + 5}`, i < 55 ? i + 5 : i))
  await writeSourceFolder(at('first'), corpus(first))
  await writeSourceFolder(at('second'), corpus(second, [...catalogue, word(9, 'the', { forms: ['a'] })]))
  before = at('before')
  expect(await night('first', before)).toBe(0)
  await cp(before, at('undisturbed'), { recursive: true })
  const startedMs = performance.now()
  expect(await night('second', at('undisturbed'))).toBe(0)
  tookMs = performance.now() - startedMs
  undisturbed = await filesOf(at('undisturbed'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function buildOf(source: string, dist: string): string[] {
  return [programPath, 'build', '--corpus', at(source), '--out', dist, '--no-site', '--max-shrink', '50%']
}

/**
 * Runs a build to its end, or kills it after a while. Gives its exit code; null where it was
 * killed.
 */
function night(source: string, dist: string, killAfterMs?: number): Promise<number | null> {
  const child = spawn(process.execPath, buildOf(source, dist), { env: settings, stdio: 'ignore' })
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  return new Promise((resolve) => {
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve(code)
    })
  })
}

test('kills at random moments: what is in service always is whole, and one whole build makes the tree of a night without them', async () => {
  let killed = 0
  const count = faultRounds(6)
  const rounds = Array.from({ length: count }, (_, i) => i).values()
  const work = async () => {
    for (const round of rounds) {
      const dist = at(`killed-${round}`)
      await cp(before, dist, { recursive: true })
      for (let kill = 0; kill < 5; kill++) {
        // Two builds at a time take longer.
        const code = await night('second', dist, chance.next() * tookMs * (count > 1 ? 1.5 : 1))
        expect(await faultsOf(dist)).toEqual([])
        if (code === null) killed++
        else {
          // The next build would have nothing to do.
          await rm(dist, { recursive: true })
          await cp(before, dist, { recursive: true })
        }
      }
      expect(await night('second', dist)).toBe(0)
      const files = await filesOf(dist)
      expect(Object.keys(files)).toEqual(Object.keys(undisturbed))
      expect(files).toEqual(undisturbed)
    }
  }
  await Promise.all([work(), work()])
  expect(killed).toBeGreaterThan(0)
})

test('a disk that fills up stops the build, the old release stays, and with room the next one makes the same tree', async ({
  skip,
}) => {
  const disk = at('disk')
  await mkdir(disk)
  const mount = (...args: string[]) => spawnSync('mount', args, { encoding: 'utf8' })
  const mounted = mount('-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', disk)
  skip(mounted.status !== 0, `no disk of a bounded size can be had here: ${mounted.stderr ?? mounted.error}`)
  onTestFinished(() => void spawnSync('umount', [disk]))
  const dist = join(disk, 'dist')
  await cp(before, dist, { recursive: true })
  const inService = await readCurrent(folderTree(dist))
  // From no room on, so that it fills up at one step after another.
  const rooms = Array.from({ length: 10 }, (_, i) => i / 2)
  let stopped = 0
  for (const roomMb of faultMoments(rooms)) {
    const usedKb = Number(spawnSync('du', ['-sk', disk], { encoding: 'utf8' }).stdout.split('\t')[0])
    mount('-o', `remount,size=${usedKb + roomMb * 1024}k`, disk)
    const { status, stderr } = spawnSync(process.execPath, buildOf('second', dist), {
      env: settings,
      encoding: 'utf8',
    })
    expect(await faultsOf(dist)).toEqual([])
    if (status === 0) break
    stopped++
    expect(stderr).toMatch(/^build (failed|stopped): .*\n$/m)
    expect(stderr).not.toContain('    at ')
    expect(await readCurrent(folderTree(dist))).toBe(inService)
  }
  expect(stopped).toBeGreaterThan(0)
  mount('-o', 'remount,size=256m', disk)
  expect(await night('second', dist)).toBe(0)
  expect(await filesOf(dist)).toEqual(undisturbed)
})

import { spawnSync } from 'node:child_process'
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readCurrent } from '#release/release.ts'
import { FolderTree } from '#release/tree.ts'
import { faultsOf } from '../harness/faults-of.ts'
import { programPath, run, runJson } from '../harness/command.ts'
import { hasAllFaultRounds } from '../harness/fault-rounds.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { catalogue, corpus, epochS, filesOf, longClips, word } from '../nightly/small-corpus.ts'

const settings = { PATH: process.env.PATH, SOURCE_DATE_EPOCH: String(epochS) }

test('a full disk stops the build, the old release stays in service, and with space the next build makes the same tree', async ({
  skip,
}) => {
  skip(!hasAllFaultRounds, 'it runs only where all rounds are played')
  const folder = tempFolder()
  const at = (name: string) => join(folder, name)
  const disk = at('disk')
  await mkdir(disk)
  const mount = (...args: string[]) => spawnSync('mount', args, { encoding: 'utf8' })
  const mounted = mount('-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', disk)
  skip(mounted.status !== 0, `no disk of a bounded size can be had here: ${mounted.stderr ?? mounted.error}`)
  onTestFinished(() => void spawnSync('umount', [disk]))
  const build = (source: string, dist: string) => {
    const args = ['build', '--corpus', at(source), '--out', dist, '--no-site', '--max-shrink', '50%']
    return spawnSync(process.execPath, [programPath, ...args], { env: settings, encoding: 'utf8' })
  }
  await writeSourceFolder(at('first'), corpus(longClips(60)))
  const words = [...catalogue, word(9, 'the', { forms: ['a'] })]
  await writeSourceFolder(at('second'), corpus(longClips(150).slice(5), words))
  expect(build('first', at('before'))).toMatchObject({ status: 0 })
  await cp(at('before'), at('undisturbed'), { recursive: true })
  expect(build('second', at('undisturbed'))).toMatchObject({ status: 0 })
  const dist = join(disk, 'dist')
  await cp(at('before'), dist, { recursive: true })
  const inService = await readCurrent(new FolderTree(dist))
  // Starting without any space, so that the disk fills up at one step after another.
  const rooms = Array.from({ length: 10 }, (_, i) => i / 2)
  let stopped = 0
  for (const roomMb of rooms) {
    const usedKb = Number(spawnSync('du', ['-sk', disk], { encoding: 'utf8' }).stdout.split('\t')[0])
    mount('-o', `remount,size=${usedKb + roomMb * 1024}k`, disk)
    const { status, stderr } = build('second', dist)
    expect(await faultsOf(dist)).toEqual([])
    if (status === 0) break
    stopped++
    expect(stderr).toMatch(/^(Build failed: c|C)annot .*no space is left on the device/m)
    expect(stderr).toContain(dist)
    expect(stderr).not.toContain('    at ')
    expect(await readCurrent(new FolderTree(dist))).toBe(inService)
  }
  expect(stopped).toBeGreaterThan(0)
  mount('-o', 'remount,size=256m', disk)
  expect(build('second', dist)).toMatchObject({ status: 0 })
  expect(await filesOf(dist)).toEqual(await filesOf(at('undisturbed')))
})

test('a full disk stops a publication, and the error names the file', async ({ skip }) => {
  const folder = tempFolder()
  const disk = join(folder, 'disk')
  await mkdir(disk)
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk], { encoding: 'utf8' })
  skip(mounted.status !== 0, `no disk of a bounded size can be had here: ${mounted.stderr ?? mounted.error}`)
  onTestFinished(() => void spawnSync('umount', [disk]))
  await writeSourceFolder(join(folder, 'source'), corpus(longClips(60)))
  await runJson(folder, ['build', '--corpus', 'source', '--no-site'])
  const { code, stdout, stderr } = await run(folder, ['publish', '--to', 'disk/published'])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/annot write ".+\/disk\/published\/.+": no space is left on the device/)
})

test('a read-only disk ends every command that writes with a message that names the path, and changes nothing', async ({
  skip,
}) => {
  const folder = tempFolder()
  const disk = join(folder, 'disk')
  await mkdir(disk)
  const mounted = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', disk], { encoding: 'utf8' })
  skip(mounted.status !== 0, `no disk can be mounted here: ${mounted.stderr ?? mounted.error}`)
  onTestFinished(() => void spawnSync('umount', [disk]))
  await writeSourceFolder(join(folder, 'source'), corpus(longClips(3)))
  const command = (...args: string[]) =>
    spawnSync(process.execPath, [programPath, ...args], { env: settings, encoding: 'utf8' })
  const build = (dist: string) =>
    command('build', '--corpus', join(folder, 'source'), '--out', dist, '--no-site')
  const dist = join(disk, 'dist')
  expect(build(dist)).toMatchObject({ status: 0 })
  const files = await filesOf(dist)
  spawnSync('mount', ['-o', 'remount,ro', disk])
  for (const { status, stderr } of [
    build(dist),
    build(join(disk, 'other')),
    command('prune', '--out', dist),
  ]) {
    expect(status, stderr).toBe(1)
    expect(stderr).toMatch(/annot .*read-only/)
    expect(stderr).toContain(disk)
    expect(stderr).not.toContain('    at ')
  }
  expect(await filesOf(dist)).toEqual(files)
})

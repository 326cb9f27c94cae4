import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packIds, unpackIds } from '#client/known/known-words.ts'
import { smallCorpus } from '../../fixtures/small-corpus.ts'
import { amplePlan, startService, type Service } from '../../harness/service.ts'
import { root } from '../../harness/site-service.ts'
import { writeSourceFolder } from '../../harness/source-folder.ts'

const run = promisify(execFile)
const packageFolder = join(root, 'src', 'client', 'python')
const testFolder = join(root, 'test', 'client', 'python')
const supportsClient = 'import sys; sys.exit(sys.version_info < (3, 10))'
const hasPython = spawnSync('python3', ['-c', supportsClient]).status === 0
if (!hasPython) process.stderr.write('no python3 from 3.10 on: the Python client is not tested\n')
const hasMypy = hasPython && spawnSync('mypy', ['--version']).status === 0
if (!hasMypy) process.stderr.write('no mypy: the types of the Python client are not checked\n')

let folder: string
let service: Service
let publisher: Server

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'clip-lookup-python-'))
  await writeSourceFolder(join(folder, 'source'), smallCorpus)
  service = await startService({
    folder,
    corpusFolder: join(folder, 'source'),
    plans: [
      { name: 'trial', perPeriod: 20, perMinute: 60 },
      { name: 'small', perPeriod: 3, perMinute: 60 },
      { name: 'slow', perPeriod: null, perMinute: 3 },
      amplePlan,
    ],
  })
  publisher = createServer((request, response) => {
    publish(request).then(
      () => response.end(),
      (error: Error) => response.writeHead(500).end(error.message),
    )
  })
  await once(publisher.listen(0, '127.0.0.1'), 'listening')
})

/** Publishes the corpus with these titles and without these clips, for a test in Python. */
async function publish(request: IncomingMessage): Promise<void> {
  const { titles, withdrawn } = (await json(request)) as {
    titles: Record<string, string>
    withdrawn: string[]
  }
  const clips = smallCorpus.clips
    .filter(({ videoId }) => !withdrawn.includes(videoId))
    .map((clip) => {
      const title = titles[clip.videoId]
      if (title === undefined) return clip
      return { ...clip, title, cues: [{ tStart: 1, tEnd: 2, text: `${title} comes.` }] }
    })
  const source = mkdtempSync(join(folder, 'source-'))
  await writeSourceFolder(source, { ...smallCorpus, clips })
  await service.build(source, { replace: 'all', maxShrink: 1 })
  await service.refresh()
}

afterAll(async () => {
  publisher.close()
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

test.skipIf(!hasPython)('the tests in Python pass', async () => {
  const env = {
    ...process.env,
    PYTHONPATH: packageFolder,
    PYTHONDONTWRITEBYTECODE: '1',
    CLIP_LOOKUP_URL: `${service.origin}/v1`,
    CLIP_LOOKUP_PUBLISH_URL: `http://127.0.0.1:${(publisher.address() as AddressInfo).port}`,
    CLIP_LOOKUP_AMPLE_KEY: await service.newKey('python-ample', 'ample'),
    CLIP_LOOKUP_SMALL_KEY: await service.newKey('python-small', 'small'),
    CLIP_LOOKUP_SLOW_KEY: await service.newKey('python-slow', 'slow'),
  }
  const args = ['-W', 'error', '-m', 'unittest', 'discover', '-s', testFolder]
  await run('python3', args, { env }).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${error.stdout}${error.stderr}`)
  })
})

test.skipIf(!hasPython)('each client reads the sets that the other packs', async () => {
  const script = `
import json, sys
from clip_lookup.known import pack_ids, unpack_ids
sets, packed_sets = json.loads(sys.argv[1])
print(json.dumps([[pack_ids(ids) for ids in sets], [unpack_ids(text) for text in packed_sets]]))`
  const sets = [[], [0], [127, 128, 16_383, 16_384, 2 ** 31], Array.from({ length: 3000 }, (_, i) => i * 3)]
  const packedSets = await Promise.all(sets.map((ids) => packIds(ids)))
  const env = { ...process.env, PYTHONPATH: packageFolder, PYTHONDONTWRITEBYTECODE: '1' }
  const { stdout } = await run('python3', ['-c', script, JSON.stringify([sets, packedSets])], { env })
  const [packedInPython, unpackedInPython] = JSON.parse(stdout) as [string[], number[][]]
  expect(unpackedInPython).toEqual(sets)
  expect(packedInPython.map(unpackIds)).toEqual(sets)
})

test.skipIf(!hasMypy)('the Python client and its tests have no type errors', async () => {
  const cache = join(folder, 'mypy')
  const args = ['--strict', '--python-version', '3.10', '--cache-dir', cache, packageFolder, testFolder]
  const env = { ...process.env, MYPYPATH: `${packageFolder}:${testFolder}` }
  await run('mypy', args, { env }).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${error.stdout}${error.stderr}`)
  })
})

test('the Python package has the version of the project', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  expect(readFileSync(join(packageFolder, 'pyproject.toml'), 'utf8')).toContain(`\nversion = "${version}"\n`)
})

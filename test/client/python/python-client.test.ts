import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { basename, join } from 'node:path'
import { json } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packIds, unpackIds } from '#client/known/known-words.ts'
import { sampleData } from '#client/testing/sample-data.ts'
import { SampleService } from '#client/testing/sample-service.ts'
import { writePackages } from '#site/build/packages.ts'
import { smallCorpus } from '../../fixtures/small-corpus.ts'
import { hasAllFaultRounds } from '../../harness/fault-rounds.ts'
import { startListening } from '../../harness/start-listening.ts'
import { amplePlan } from '../../harness/service.ts'
import { root } from '../../harness/site-service.ts'
import { writeSourceFolder } from '../../harness/source-folder.ts'
import { sharedSmallService } from '../../proxy/small-service.ts'

const run = promisify(execFile)
const packageFolder = join(root, 'src', 'client', 'python')
const testFolder = join(root, 'test', 'client', 'python')
const supportsClient = 'import sys; sys.exit(sys.version_info < (3, 10))'
const hasPython = spawnSync('python3', ['-c', supportsClient]).status === 0
if (!hasPython) process.stderr.write('no python3 from 3.10 on: the Python client is not tested\n')
const hasMypy = hasPython && spawnSync('mypy', ['--version']).status === 0
if (!hasMypy) process.stderr.write('no mypy: the types of the Python client are not checked\n')
const hasBuilder = hasPython && spawnSync('python3', ['-c', 'import hatchling']).status === 0
if (!hasBuilder) process.stderr.write('no hatchling: the Python package is not built\n')

const service = sharedSmallService({
  plans: [
    { name: 'trial', perPeriod: 20, perMinute: 60 },
    { name: 'small', perPeriod: 3, perMinute: 60 },
    { name: 'slow', perPeriod: null, perMinute: 3 },
    amplePlan,
  ],
})
let publisher: Server
let publisherPort: number

beforeAll(async () => {
  publisher = createServer((request, response) => {
    publish(request).then(
      () => response.end(),
      (error: Error) => response.writeHead(500).end(error.message),
    )
  })
  publisherPort = await startListening(publisher)
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
  const source = mkdtempSync(join(service.folder, 'source-'))
  await writeSourceFolder(source, { ...smallCorpus, clips })
  await service.build(source, { replace: 'all', maxShrink: 1 })
  await service.refresh()
}

afterAll(() => void publisher.close())

const environment = { ...process.env, PYTHONPATH: packageFolder, PYTHONDONTWRITEBYTECODE: '1' }

/** Runs a script with a value as JSON. Returns its output. */
async function runPython(script: string, value: unknown): Promise<string> {
  const options = { env: environment, maxBuffer: 2 ** 26 }
  return (await run('python3', ['-c', script, JSON.stringify(value)], options)).stdout
}

test.skipIf(!hasPython)('the tests in Python pass', async () => {
  const env = {
    ...environment,
    CLIP_LOOKUP_URL: `${service.origin}/v1`,
    CLIP_LOOKUP_PUBLISH_URL: `http://127.0.0.1:${publisherPort}`,
    CLIP_LOOKUP_AMPLE_KEY: await service.newKey('python-ample', 'ample'),
    CLIP_LOOKUP_SMALL_KEY: await service.newKey('python-small', 'small'),
    CLIP_LOOKUP_SLOW_KEY: await service.newKey('python-slow', 'slow'),
  }
  const args = ['-W', 'error', '-m', 'unittest', 'discover', '-s', testFolder]
  await run('python3', args, { env }).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${error.stdout}${error.stderr}`)
  })
})

test.runIf(hasAllFaultRounds && hasPython)('each client reads the sets that the other packs', async () => {
  const script = `
import json, sys
from clip_lookup.known import pack_ids, unpack_ids
sets, packed_sets = json.loads(sys.argv[1])
print(json.dumps([[pack_ids(ids) for ids in sets], [unpack_ids(text) for text in packed_sets]]))`
  const sets = [[], [0], [127, 128, 16_383, 16_384, 2 ** 31], Array.from({ length: 3000 }, (_, i) => i * 3)]
  const packedSets = await Promise.all(sets.map((ids) => packIds(ids)))
  const output = await runPython(script, [sets, packedSets])
  const [packedInPython, unpackedInPython] = JSON.parse(output) as [string[], number[][]]
  expect(unpackedInPython).toEqual(sets)
  expect(packedInPython.map(unpackIds)).toEqual(sets)
})

test('both clients have the same sample data', () => {
  const text = readFileSync(join(packageFolder, 'clip_lookup', 'sample_data.json'), 'utf8')
  expect(text).toBe(`${JSON.stringify(sampleData)}\n`)
})

test.runIf(hasAllFaultRounds && hasPython)('the sample services of both clients agree', async () => {
  const sample = new SampleService()
  const words = sampleData.words.filter((_, i) => i % 7 === 0).concat(sampleData.words.slice(-8))
  const phrases = sampleData.words.filter(({ word }) => word.includes(' '))
  const simplePaths = `
    /feed /feed?language=ja&limit=2&cursor=1 /feed?clipLevel=A1,C1&seed=x /feed?limit=100
    /clips?ids=en-my-morning,nosuchclip,en-my-morning /clips/nosuchclip /clips/a/b /nothing
    /words /words?q=l&limit=3 /words?q=go&in=meanings /words?q=was&level=A1,B1 /words?lang=en
    /words?spellings=the,was,x /words?ids=1,2,3,9999 /words/nosuchword /words/Was /words/2
    /sentences?q=The&limit=2 /sentences?q=%E3%81%AE&language=ja /sentences /sentences?q=zzz
    /corpus /changes?since=x /usage /openapi.json`
  const paths = [
    ...simplePaths.trim().split(/\s+/),
    ...sampleData.clips.flatMap(({ clipId, videoId }) => [
      `/clips/${clipId.toUpperCase()}`,
      `/clips/${videoId}/transcript`,
    ]),
    ...[...words, ...phrases].map(
      ({ wordId, language }) => `/words/${wordId}/clips?language=${language}&limit=100`,
    ),
  ]
  const script = `
import json, math, sys
from clip_lookup.testing import SampleService
from clip_lookup.transport import Request
service = SampleService()
requests = [Request(service.base_url + path, {}, math.inf) for path in json.loads(sys.argv[1])]
responses = [service.transport(request) for request in requests]
print(json.dumps([[response.status, json.loads(response.body)] for response in responses]))`
  const expected = await Promise.all(
    paths.map(async (path) => {
      const response = await sample.fetch(sample.baseUrl + path)
      return [response.status, await response.json()] as unknown
    }),
  )
  const answers = JSON.parse(await runPython(script, paths)) as unknown[]
  for (const [i, path] of paths.entries()) expect(answers[i], path).toEqual(expected[i])
})

test.runIf(hasAllFaultRounds && hasMypy)('the Python client and its tests have no type errors', async () => {
  const cache = join(service.folder, 'mypy')
  const args = ['--strict', '--python-version', '3.10', '--cache-dir', cache, packageFolder, testFolder]
  const env = { ...process.env, MYPYPATH: `${packageFolder}:${testFolder}` }
  await run('mypy', args, { env }).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${error.stdout}${error.stderr}`)
  })
})

test.runIf(hasAllFaultRounds && hasBuilder)(
  'the wheel built from the site’s archive is complete',
  async () => {
    const out = join(service.folder, 'packages')
    mkdirSync(out)
    await writePackages(out, service.folder)
    const archive = readdirSync(out).find((name) => name.endsWith('.tar.gz'))!
    await run('tar', ['xzf', join(out, archive), '-C', out])
    const args = ['-m', 'hatchling', 'build', '-d', out, '-t', 'wheel']
    await run('python3', args, { cwd: join(out, basename(archive, '.tar.gz')) })
    const wheel = join(
      out,
      readdirSync(out).find((name) => name.endsWith('.whl'))!,
    )
    const script = 'import json, sys, zipfile; print(zipfile.ZipFile(json.loads(sys.argv[1])).namelist())'
    const names = await runPython(script, wheel)
    for (const name of readdirSync(join(packageFolder, 'clip_lookup')))
      if (name !== '__pycache__') expect(names).toContain(`'clip_lookup/${name}'`)
  },
)

test('the Python package has the project’s version', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  expect(readFileSync(join(packageFolder, 'pyproject.toml'), 'utf8')).toContain(`\nversion = "${version}"\n`)
})

import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { cp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openRelease, readCurrent } from '#release/release.ts'
import { releaseFiles } from '#release/paths.ts'
import { FolderTree } from '#release/tree.ts'
import { Refused } from '#tree/refused.ts'
import { prune } from '#tree/prune.ts'
import { FolderTarget } from '#tree/publish/folder-target.ts'
import { publish, type PublishOptions, type PublishResult } from '#tree/publish/publish.ts'
import { S3Target } from '#tree/publish/s3-target.ts'
import type { PublishTarget } from '#tree/publish/target.ts'
import { resume, rollback } from '#tree/rollback.ts'
import { faultsOf } from '../harness/faults-of.ts'
import { flipBit } from '../harness/flip-bit.ts'
import { buildNights, fewNights } from '../nightly/few-nights.ts'
import { buildTree, clip, clips, corpus, filesOf } from '../nightly/small-corpus.ts'
import { run } from '../harness/command.ts'
import { faultRounds, longTest } from '../harness/fault-rounds.ts'
import { freePort } from '../harness/free-port.ts'
import { sharedFolder, tempFolder } from '../harness/temp-folder.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'

const many = clips(100)

interface Tree {
  dist: string
  /** Publishes a night with these clips. */
  night(night: ReturnType<typeof clips>): Promise<string>
}

async function treeOf(first: ReturnType<typeof clips>): Promise<Tree> {
  const folder = tempFolder()
  const dist = join(folder, 'dist')
  let nights = 0
  const night = async (of: ReturnType<typeof clips>) => {
    const source = join(folder, `source-${nights++}`)
    await writeSourceFolder(source, corpus(of))
    return (await buildTree(source, dist)).release
  }
  await night(first)
  return { dist, night }
}

/** Returns the target, and from now on the paths written and deleted there, and all its steps. */
function watched(target: PublishTarget) {
  const [written, deleted, steps]: [string[], string[], string[]] = [[], [], []]
  const [write, deletePaths] = [target.write.bind(target), target.delete.bind(target)]
  const sync = target.sync.bind(target)
  target.write = (path, bytes, headers) => {
    written.push(path)
    steps.push(path)
    return write(path, bytes, headers)
  }
  target.delete = (paths) => {
    deleted.push(...paths)
    return deletePaths(paths)
  }
  target.sync = () => {
    steps.push('sync')
    return sync()
  }
  return { target, written, deleted, steps }
}

function publishTo(
  dist: string,
  target: PublishTarget,
  isDeleting = false,
  more: Partial<PublishOptions> = {},
): Promise<PublishResult> {
  return publish({ outFolder: dist, target, isDeleting, ...more })
}

describe('publish to a folder', () => {
  test('copies everything but the state of the build the first time, and the pointer last', async () => {
    const { dist } = await treeOf(many.slice(0, 5))
    const to = join(tempFolder(), 'public')
    const { target, steps } = watched(new FolderTarget(to, false))
    const { before } = await publishTo(dist, target)
    expect(before).toBeNull()
    // After a power failure, the pointer names no file that is lost.
    expect(steps.slice(-4)).toEqual(['sync', '_headers', 'index.json', 'current.json'])
    expect(await filesOf(to)).toEqual(await filesOf(dist))
    // A web server of another user reads it.
    expect(statSync(to).mode & 0o777).toBe(0o777 & ~process.umask())
    const again = watched(new FolderTarget(to, false))
    expect(await publishTo(dist, again.target)).toMatchObject({ written: 0 })
  })

  test('writes only what is new after a night with one new clip of a hundred', async () => {
    const { dist, night } = await treeOf(many)
    const to = join(tempFolder(), 'public')
    await publishTo(dist, new FolderTarget(to, false))
    const release = await night([...many, clip('new')])
    const { target, written } = watched(new FolderTarget(to, false))
    await publishTo(dist, target)
    const { files } = JSON.parse(readFileSync(join(dist, 'releases', release, 'changes.json'), 'utf8')) as {
      files: { added: string[] }
    }
    const segments = written.filter((path) => path.startsWith('data/sentences/'))
    expect(segments).toHaveLength(2)
    const ofRelease = written.filter((path) => path.startsWith(`releases/${release}/`))
    expect(ofRelease).toHaveLength(releaseFiles.length)
    expect(written.toSorted()).toEqual(
      [...files.added, ...segments, ...ofRelease, 'index.json', 'current.json'].sort(),
    )
    expect(files.added.length).toBeLessThan(15)
    expect(await filesOf(to)).toEqual(await filesOf(dist))
  })

  longTest('follows several nights and a rollback, and removes pruned files with --delete', async () => {
    const { dist, night } = await treeOf(many.slice(0, 20))
    const to = join(tempFolder(), 'public')
    await publishTo(dist, new FolderTarget(to, false))
    for (const from of [2, 4]) await night([...many.slice(from, 20), clip(`late${from}`)])
    await publishTo(dist, new FolderTarget(to, false))
    await rollback(dist)
    await publishTo(dist, new FolderTarget(to, false))
    expect(await faultsOf(to, await readCurrent(new FolderTree(to)))).toEqual([])
    await resume(dist)
    for (const from of [5, 6, 7]) await night([...many.slice(from, 20), clip(`later${from}`)])
    await publishTo(dist, new FolderTarget(to, false))
    await prune({ outFolder: dist, keep: 1, dryRun: false, onPlan: () => {} })
    const { target, deleted } = watched(new FolderTarget(to, false))
    await publishTo(dist, target, true)
    expect(deleted.length).toBeGreaterThan(10)
    for (const path of deleted) expect(existsSync(join(dist, path)), path).toBe(false)
    const left = Object.keys(await filesOf(dist))
    const there = Object.keys(await filesOf(to))
    expect(
      there.filter((path) => !left.includes(path)).filter((path) => !path.endsWith('changes.json')),
    ).toEqual([])
    await openRelease(new FolderTree(to), await readCurrent(new FolderTree(to)))
  })

  test('with --gzip, writes a .gz of the same bytes beside each long text', async () => {
    const { dist } = await treeOf(many)
    const to = join(tempFolder(), 'public')
    await publishTo(dist, new FolderTarget(to, true))
    const zipped = Object.keys(await filesOf(to)).filter((path) => path.endsWith('.gz'))
    expect(zipped.length).toBeGreaterThan(0)
    for (const path of zipped) {
      const text = gunzipSync(readFileSync(join(to, path))).toString()
      expect(text).toBe(readFileSync(join(to, path.slice(0, -3)), 'utf8'))
    }
  })
})

describe('a folder that is not empty', () => {
  /** Publishes a tree to a target, and returns the target and another tree of the same clips. */
  async function rebuilt(): Promise<{ dist: string; to: string }> {
    const [first, second] = [await treeOf(many.slice(0, 5)), await treeOf(many.slice(0, 5))]
    const to = join(tempFolder(), 'public')
    await publishTo(first.dist, new FolderTarget(to, false))
    return { dist: second.dist, to }
  }

  test('is refused if it is another tree, even on request if a name would change its bytes', async () => {
    const { dist, to } = await rebuilt()
    const before = await filesOf(to)
    const reason = /was not built from the tree in .*--replace-tree/
    await expect(publishTo(dist, new FolderTarget(to, false))).rejects.toThrow(reason)
    expect(await filesOf(to)).toEqual(before)
    const renamed = await treeOf(many.slice(0, 5).map((each) => ({ ...each, title: 'Another title' })))
    const replacing = publishTo(renamed.dist, new FolderTarget(to, false), false, { isReplacingTree: true })
    await expect(replacing).rejects.toThrow(/has a "data\/.*" with different content/)
    expect(await filesOf(to)).toMatchObject(before)
    await publishTo(dist, new FolderTarget(to, false), false, { isReplacingTree: true })
  })

  test('is replaced on request by a tree with other names', async () => {
    const { dist } = await treeOf(many.slice(0, 5))
    const to = join(tempFolder(), 'public')
    await publishTo((await treeOf(many.slice(5, 8))).dist, new FolderTarget(to, false))
    await publishTo(dist, new FolderTarget(to, false), false, { isReplacingTree: true })
    expect(await faultsOf(to, await readCurrent(new FolderTree(dist)))).toEqual([])
  })

  test('is refused if a restored older tree did not build its release, and keeps its bytes', async () => {
    const folder = tempFolder()
    const dist = join(folder, 'dist')
    await buildNights(folder, fewNights.slice(0, 1))
    await cp(dist, join(folder, 'backup'), { recursive: true })
    await buildNights(folder, fewNights.slice(0, 3))
    const to = join(folder, 'public')
    await publishTo(dist, new FolderTarget(to, false))
    const before = await filesOf(to)
    await rm(dist, { recursive: true })
    await cp(join(folder, 'backup'), dist, { recursive: true })
    await buildTree(join(folder, 'night-2'), dist, { replace: 'all', maxShrink: 1 })
    await expect(publishTo(dist, new FolderTarget(to, false))).rejects.toThrow(/was not built from the tree/)
    expect(await filesOf(to)).toEqual(before)
  })

  test('is refused if its contents are unknown, and accepted with --repair', async () => {
    const { dist } = await treeOf(many.slice(0, 5))
    const to = tempFolder()
    for (const pointer of ['{"release":"000001-00000000"}', 'Hello']) {
      writeFileSync(join(to, 'current.json'), pointer)
      await expect(publishTo(dist, new FolderTarget(to, false))).rejects.toThrow(Refused)
      expect(Object.keys(await filesOf(to))).toEqual(['current.json'])
    }
    await publishTo(dist, new FolderTarget(to, false), false, { isRepairing: true })
    expect(await filesOf(to)).toEqual(await filesOf(dist))
  })

  test('is compared byte by byte: --repair finds damage of the right size', async () => {
    const { dist } = await treeOf(many.slice(0, 5))
    const to = join(tempFolder(), 'public')
    await publishTo(dist, new FolderTarget(to, false))
    const damaged = ['data/clips', 'data/transcripts', 'data/words/en'].map((folder) => {
      const path = `${folder}/${readdirSync(join(to, folder))[0]!}`
      flipBit(join(to, path), 0.5)
      return path
    })
    rmSync(join(to, 'index.json'))
    const { target, written } = watched(new FolderTarget(to, false))
    await publishTo(dist, target, false, { isRepairing: true })
    expect(written.sort()).toEqual([...damaged, 'index.json', 'current.json'].sort())
    expect(await filesOf(to)).toEqual(await filesOf(dist))
  })

  test('is repaired by `publish --repair`, which prints the number of files', async () => {
    const { dist } = await treeOf(clips(2))
    const args = ['publish', '--out', dist, '--to', join(tempFolder(), 'target')]
    expect((await run('/', args)).stdout).toMatch(/: \d\d files\n$/)
    rmSync(join(args.at(-1)!, 'index.json'))
    expect((await run('/', [...args, '--repair'])).stdout).toMatch(/: 1 file, \d\d already there\n$/)
  })

  test('gets the changes of the releases that were never published there', async () => {
    const { dist, night } = await treeOf(many.slice(0, 5))
    const to = join(tempFolder(), 'public')
    await publishTo(dist, new FolderTarget(to, false))
    const missed = await night(many.slice(0, 6))
    await night(many.slice(0, 7))
    await publishTo(dist, new FolderTarget(to, false))
    expect(existsSync(join(to, 'releases', missed, 'changes.json'))).toBe(true)
    expect(existsSync(join(to, 'releases', missed, 'manifest.json'))).toBe(false)
  })

  test('is not changed while another process publishes there', async () => {
    const { dist } = await treeOf(many.slice(0, 5))
    const to = join(tempFolder(), 'public')
    await using other = new FolderTarget(to, false)
    await other.begin()
    const reason = 'another process is publishing'
    await expect(publishTo(dist, new FolderTarget(to, false))).rejects.toThrow(reason)
  })
})

test('verifies after repeated kills, and is complete at last', async () => {
  const { dist, night } = await treeOf(many.slice(0, 20))
  const to = join(tempFolder(), 'public')
  await publishTo(dist, new FolderTarget(to, false))
  const before = await readCurrent(new FolderTree(to))
  const release = await night([...many.slice(3, 20), clip('new'), clip('newer')])
  const script = join(import.meta.dirname, 'publish-and-die.ts')
  const die = (writes: number) =>
    new Promise<string | null>((resolve) => {
      const child = execFile(process.execPath, [script, dist, to, String(writes)], () =>
        resolve(child.signalCode),
      )
    })
  for (let round = 0; round < faultRounds(20); round++) {
    expect(await die(round % 4)).toBe('SIGKILL')
    expect(await readCurrent(new FolderTree(to))).toBe(before)
    expect(await faultsOf(to, before)).toEqual([])
  }
  await publishTo(dist, new FolderTarget(to, false))
  expect(await readCurrent(new FolderTree(to))).toBe(release)
  expect(await faultsOf(to, release)).toEqual([])
  // Nothing is left of the killed runs.
  expect((await readdir(to, { recursive: true })).filter((name) => /publishing|tmp/.test(name))).toEqual([])
})

describe('publish to an S3 store', () => {
  let endpoint: string
  const bucket = 'clips'
  const directory = sharedFolder()
  beforeAll(async () => {
    const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => {
      run(): Promise<unknown>
      close(): Promise<void>
    }
    const port = await freePort()
    const options = { port, address: '127.0.0.1', silent: true, directory }
    const server = new S3rver({ ...options, configureBuckets: [{ name: bucket }] })
    await server.run()
    endpoint = `http://127.0.0.1:${port}`
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'S3RVER')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'S3RVER')
    vi.stubEnv('AWS_REGION', 'us-east-1')
    return async () => {
      vi.unstubAllEnvs()
      await server.close()
    }
  })

  test('sends nights with their headers, deletes what prune deleted, and sends nothing private', async () => {
    const { dist, night } = await treeOf(many.slice(0, 20))
    const target = new S3Target(bucket, 'tree/', endpoint)
    await publishTo(dist, target)
    const next = await night([...many.slice(2, 20), clip('new')])
    const { written } = watched(target)
    await publishTo(dist, target)
    expect(written.at(-1)).toBe('current.json')
    expect(written.length).toBeLessThan(30)
    for (const [path, text] of Object.entries(await filesOf(dist)).filter(
      ([name]) => !name.startsWith('site'),
    ))
      expect(Buffer.from((await target.read(path))!).toString('utf8'), path).toBe(text)
    expect(await target.read('.build/state.sqlite')).toBeNull()
    const headersOf = async (path: string) => {
      const { headers } = await fetch(`${endpoint}/${bucket}/tree/${path}`)
      return [headers.get('content-type'), headers.get('cache-control')]
    }
    const json = 'application/json; charset=utf-8'
    expect(await headersOf('current.json')).toEqual([json, 'public, max-age=60'])
    const immutable = 'public, max-age=31536000, immutable'
    expect(await headersOf(`releases/${next}/changes.json`)).toEqual([json, immutable])
    await prune({ outFolder: dist, keep: 1, dryRun: false, onPlan: () => {} })
    const { deleted } = await publishTo(dist, new S3Target(bucket, 'tree/', endpoint), true)
    expect(deleted).toBeGreaterThan(5)
    const record = `data/clips/${readdirSync(join(dist, 'data/clips'))[0]!}`
    const other = new S3Target(bucket, 'tree/', endpoint)
    await other.write(record, Buffer.alloc(readFileSync(join(dist, record)).length), {
      contentType: json,
      cacheControl: immutable,
    })
    expect(await publishTo(dist, other, false, { isRepairing: true })).toMatchObject({ written: 1 })
  })

  test('the command publishes there, and prints the store’s refusals', async () => {
    const { dist } = await treeOf(many.slice(0, 3))
    const env = { AWS_ENDPOINT_URL: endpoint }
    const to = (place: string) => run('/', ['publish', '--out', dist, '--to', place, '--json'], env)
    const { code, stdout, stderr } = await to(`s3://${bucket}/other`)
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ before: null })
    const refused = await to('s3://nobucket/x')
    const expected = [1, expect.stringMatching(/^Cannot publish to s3:\/\/nobucket\/x\/: /)]
    expect([refused.code, refused.stderr]).toEqual(expected)
  })

  test.each([
    [
      ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
      'no credentials were found. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE',
    ],
    [['AWS_REGION'], 'no region was found. Set AWS_REGION'],
  ])('without %j, the command says in one line what is missing', async (missing, message) => {
    const { dist } = await treeOf(many.slice(0, 3))
    const there = Object.fromEntries(missing.map((name) => [name, process.env[name]]))
    for (const name of missing) vi.stubEnv(name, undefined)
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true')
    onTestFinished(() => {
      for (const name of missing) vi.stubEnv(name, there[name])
    })
    const to = `s3://${bucket}/x`
    const { code, stderr } = await run('/', ['publish', '--out', dist, '--to', to], {
      AWS_ENDPOINT_URL: endpoint,
    })
    expect([code, stderr]).toEqual([1, `Cannot publish to ${to}/: ${message}.\n`])
  })
})

test.each([
  [['--to', 'https://example.com'], 2, '--to must be a folder or s3://bucket/prefix'],
  [['--to', 'dist/inside', '--out', 'dist'], 2, '--to must be outside the published tree'],
  [[], 2, 'The command needs --to TARGET'],
  [['--to', 'public', '--out', 'nowhere'], 1, 'no file "current.json"'],
])('publish %j exits with %i', async (args, code, message) => {
  const outcome = await run(tempFolder(), ['publish', ...args])
  expect([outcome.code, outcome.stdout]).toEqual([code, ''])
  expect(outcome.stderr).toContain(message)
})

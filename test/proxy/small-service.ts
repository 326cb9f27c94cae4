import { mkdtempSync, rmSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { smallCorpus } from '../fixtures/small-corpus.ts'
import { startService, type Service, type ServiceOptions } from '../harness/service.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'

export interface SmallService extends Service, AsyncDisposable {
  /** Contains the tree (`dist`), the store and the source (`source`). */
  folder: string
}

let made: Promise<string> | undefined

/** Returns a folder with the source and the tree of the small corpus, which is built once. */
function smallTree(): Promise<string> {
  return (made ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), 'clip-lookup-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    await writeSourceFolder(join(folder, 'source'), smallCorpus)
    await (await startService({ folder, corpusFolder: join(folder, 'source') })).stop()
    return folder
  })())
}

/** Starts the service on the small corpus, in a folder that is deleted with it. */
export async function startSmallService(
  options: Partial<ServiceOptions> & { published?: false } = {},
): Promise<SmallService> {
  const { published, ...more } = options
  const folder = await mkdtemp(join(tmpdir(), 'clip-lookup-'))
  const parts = published === false ? ['source'] : ['source', 'dist']
  for (const part of parts)
    await cp(join(await smallTree(), part), join(folder, part), { recursive: true, preserveTimestamps: true })
  const service = await startService({ folder, ...more })
  const stop = async () => {
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return { ...service, folder, stop, [Symbol.asyncDispose]: stop }
}

/** Starts the service on the small corpus for all tests of a file or a suite, with a key. */
export function sharedSmallService(options: Partial<ServiceOptions> = {}): SmallService & { key: string } {
  const shared = {} as SmallService & { key: string }
  beforeAll(async () => {
    Object.assign(shared, await startSmallService(options))
    shared.key = await shared.newKey()
  })
  afterAll(() => shared.stop())
  return shared
}

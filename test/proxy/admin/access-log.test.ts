import { execFileSync } from 'node:child_process'
import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { AccessLog } from '#proxy/admin/access-log.ts'
import type { AnsweredRequest } from '#proxy/http/exchange.ts'
import { openFiles } from '../../harness/open-files.ts'
import { tempFolder } from '../../harness/temp-folder.ts'

const request: AnsweredRequest = {
  requestId: 'r'.repeat(128),
  method: 'GET',
  operation: 'getClip',
  status: 200,
  code: null,
  durationMs: 0.4125,
  bytes: 812,
  account: 'ann',
  keyId: 'key_000000000000',
  client: '2001:db8:ffff:ffff::/64',
}

test.each(['ann', '日'.repeat(128), '"'.repeat(128), '𝒜'.repeat(128)])(
  'keeps every line whole over many batches, and private: account %s',
  async (account) => {
    const file = join(tempFolder(), 'access.log')
    const log = new AccessLog(file, { error: (_, message) => expect.unreachable(message) })
    for (let status = 0; status < 300; status++) log.write({ ...request, account, status })
    await log.close()
    expect(statSync(file).mode & 0o777).toBe(0o640)
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(parsed.map(({ status }) => status)).toEqual(Array.from({ length: 300 }, (_, i) => i))
    expect(new Set(parsed.map((line) => line.account))).toEqual(new Set([account]))
    expect(parsed[0]).toMatchObject({ requestId: request.requestId, bytes: 812, client: request.client })
  },
)

test('drops and counts lines while its reader is stalled, and nobody waits', async () => {
  const fifo = join(tempFolder(), 'access.fifo')
  execFileSync('mkfifo', [fifo])
  const reader = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK)
  const counts: number[] = []
  const log = new AccessLog(fifo, {
    error: (context) => counts.push((context as { dropped?: number }).dropped ?? 0),
  })
  const onExit = process.listeners('exit')[0]!
  const lines = 40_000
  for (let i = 0; i < lines; i++) log.write({ ...request, status: i })
  await log.close()
  const piped = Buffer.alloc(1_000_000)
  const text = piped.toString('utf8', 0, readSync(reader, piped))
  const openedTwice = () => openFiles().filter((path) => path === fifo).length === 2
  // The process can exit although the file is already closed.
  await expect.poll(openedTwice).toBe(false)
  expect(() => onExit(0)).not.toThrow()
  closeSync(reader)
  process.removeListener('exit', onExit)
  expect(text).toMatch(/^\{"time":/)
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(lines / 4)
})

test('reports a full disk once, although each batch fails', async () => {
  const errors: string[] = []
  const log = new AccessLog('/dev/full', {
    error: (context, message) => void errors.push(`${message}: ${(context as { err: Error }).err.message}`),
  })
  for (let batch = 0; batch < 5; batch++) {
    for (let i = 0; i < 200; i++) log.write(request)
    await sleep(50)
  }
  await log.close()
  expect(errors).toEqual(['cannot write the access log: ENOSPC: no space left on device, write'])
})

test('continues in the old file if the new one cannot be opened', async () => {
  const folder = tempFolder()
  mkdirSync(join(folder, 'logs'))
  const errors: string[] = []
  const log = new AccessLog(join(folder, 'logs', 'access.log'), {
    error: (_, message) => void errors.push(message),
  })
  log.write({ ...request, status: 200 })
  renameSync(join(folder, 'logs'), join(folder, 'moved'))
  log.reopen()
  log.write({ ...request, status: 404 })
  await log.close()
  const lines = readFileSync(join(folder, 'moved', 'access.log'), 'utf8')
    .trimEnd()
    .split('\n')
  expect(lines.map((line) => (JSON.parse(line) as { status: number }).status)).toEqual([200, 404])
  expect(errors).toEqual(['cannot open the access log again: its lines still go to the old file'])
})

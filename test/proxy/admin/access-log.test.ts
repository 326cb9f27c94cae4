import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '#kit/clock.ts'
import { AccessLog } from '#proxy/admin/access-log.ts'
import type { AnsweredRequest } from '#proxy/http/answered-request.ts'
import { tempFolder } from '../../harness/temp-folder.ts'

const request: AnsweredRequest = {
  requestId: 'r'.repeat(128),
  method: 'GET',
  operation: 'getClip',
  status: 200,
  code: null,
  treeFault: null,
  durationMs: 0.4125,
  sizeBytes: 812,
  account: 'ann',
  keyId: 'key_000000000000',
  client: '2001:db8:ffff:ffff::/64',
}

test.each(['ann', '日'.repeat(128), '"'.repeat(128), '𝒜'.repeat(128)])(
  'keeps every line whole over many batches: account %s',
  (account) => {
    const file = join(tempFolder(), 'access.log')
    const log = new AccessLog(file, systemClock, (error) => {
      throw error
    })
    for (let status = 0; status < 300; status++) log.write({ ...request, account, status })
    log.close()
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(parsed.map(({ status }) => status)).toEqual(Array.from({ length: 300 }, (_, i) => i))
    expect(new Set(parsed.map((line) => line.account))).toEqual(new Set([account]))
    expect(parsed[0]).toMatchObject({ requestId: request.requestId, bytes: 812, client: request.client })
  },
)

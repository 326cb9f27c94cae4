import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import { englishVideoIds } from '../fixtures/small-corpus.ts'
import { runJson } from '../harness/command.ts'
import { freePort } from '../harness/free-port.ts'
import { send } from '../harness/http-client.ts'
import { ownRedis, redisClient, redisProgram } from '../harness/redis-server.ts'
import { sharedServedFolder } from '../harness/serve-process.ts'
import { tempFolder } from '../harness/temp-folder.ts'

const folder = sharedServedFolder(defaultPlans)

/** Creates a certificate authority, and its certificate for 127.0.0.1. */
function certify(): { ca: string; certificate: string; key: string } {
  const place = tempFolder()
  const file = (name: string) => join(place, name)
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' })
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=test']
  openssl(...request, '-keyout', file('ca.key'), '-out', file('ca.pem'))
  const names = ['-addext', 'subjectAltName=IP:127.0.0.1', '-addext', 'basicConstraints=CA:FALSE']
  const signed = ['-CA', file('ca.pem'), '-CAkey', file('ca.key')]
  openssl(...request, ...names, ...signed, '-keyout', file('server.key'), '-out', file('server.pem'))
  return { ca: file('ca.pem'), certificate: file('server.pem'), key: file('server.key') }
}

/** Returns the user that the docs describe. */
function documentedUser(): string[] {
  const docs = join(import.meta.dirname, '../../src/site/content/docs/operate/stores.mdx')
  return /^ *ACL SETUSER (clip-lookup .*)$/m.exec(readFileSync(docs, 'utf8'))![1]!.split(' ')
}

test.skipIf(!redisProgram)('over TLS, Redis accepts every command from the user in the docs', async () => {
  const { ca, certificate, key } = certify()
  const tlsPort = await freePort()
  const tls = ['--tls-port', String(tlsPort), '--tls-cert-file', certificate, '--tls-key-file', key]
  const access = ['--tls-ca-cert-file', ca, '--tls-auth-clients', 'no', '--user', ...documentedUser()]
  const server = await ownRedis([...tls, ...access])
  const store = `rediss://clip-lookup:secret@127.0.0.1:${tlsPort}`
  const settings = { NODE_EXTRA_CA_CERTS: ca, CLIP_LOOKUP_STORE: store }
  const known = getCACertificates('default')
  setDefaultCACertificates([...known, readFileSync(ca, 'utf8')])
  onTestFinished(() => setDefaultCACertificates(known))
  const command = (...args: string[]) => runJson<{ key: string; keyId: string }>(folder.path, args, settings)
  const ann = await command('keys', 'create', '--account', 'ann')
  const serving = await folder.serve({ store, workers: 1, settings })
  const lookUp = (of: string) => send(serving.origin, `/v1/clips/${englishVideoIds[0]}`, { key: of })
  expect((await lookUp(ann.key)).status).toBe(200)
  expect((await send(serving.origin, '/v1/corpus')).status).toBe(200)
  const { key: rotated, keyId } = await command('keys', 'rotate', ann.keyId)
  for (const action of ['disable', 'enable']) await command('keys', action, keyId)
  await command('accounts', 'set-plan', 'ann', 'growth')
  await command('accounts', 'rename', 'ann', 'eve')
  expect((await lookUp(rotated)).status).toBe(200)
  const reports = ['keys list --details', 'accounts list', 'accounts usage eve --by-key', 'store log']
  for (const report of [...reports, 'accounts usage --all', 'doctor --port 0'])
    await command(...report.split(' '))
  for (const action of ['delete', 'purge']) await command('accounts', action, 'eve', '--yes')
  expect((await lookUp(rotated)).status).toBe(401)
  await serving.kill()
  await command('store', 'copy', store, folder.freshStore())
  expect(await (await redisClient(server.url)).sendCommand(['ACL', 'LOG'])).toEqual([])
})

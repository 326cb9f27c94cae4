import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import { createKey } from '../harness/command.ts'
import { longTest } from '../harness/fault-rounds.ts'
import { send } from '../harness/http-client.ts'
import { sharedServedFolder } from '../harness/serve-process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = sharedServedFolder(defaultPlans)
const page = readFileSync(join(root, 'src/site/content/docs/operate/backups.mdx'), 'utf8')

/** Returns the commands under a heading of the page. */
function commandsUnder(heading: string): string {
  const section = page.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!
  return /```bash\n(.*?)```/s.exec(section)![1]!
}

/** Makes a folder look like a checkout of the project, so that `npm run` works in it. */
function makeStand(path: string): void {
  copyFileSync(join(root, 'package.json'), join(path, 'package.json'))
  for (const name of ['scripts', 'src', 'node_modules']) symlinkSync(join(root, name), join(path, name))
}

longTest('restoring as the docs describe continues keys, counters and cursors', async () => {
  makeStand(folder.path)
  const store = 'sqlite:var/clip-lookup.sqlite'
  const shell = (commands: string) =>
    promisify(execFile)('bash', ['-euo', 'pipefail', '-c', commands], {
      cwd: folder.path,
      env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, CLIP_LOOKUP_PORT: '0' },
    })
  const key = await createKey(folder.path)

  const before = await folder.serve({ store, workers: 1 })
  const first = await send(before.origin, '/v1/feed?seed=walk&limit=2', { key })
  const release = (await send(before.origin, '/v1/corpus')).json.release as string
  await shell(commandsUnder('Back up'))
  await before.kill()
  for (const name of ['dist', 'var']) rmSync(join(folder.path, name), { recursive: true })

  await shell(commandsUnder('Restore'))
  expect(existsSync(join(folder.path, 'dist/_headers'))).toBe(true)
  const after = await folder.serve({ store, workers: 1 })
  expect((await send(after.origin, '/v1/corpus')).json.release).toBe(release)
  expect((await send(after.origin, '/v1/usage', { key })).json).toMatchObject({ requests: 1 })
  const next = await send(after.origin, `/v1/feed?limit=100&cursor=${first.json.nextCursor}`, { key })
  expect(next.status).toBe(200)
  const ids = [first, next].flatMap(({ json }) =>
    (json.items as { clip: { clipId: string } }[]).map(({ clip }) => clip.clipId),
  )
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.length).toBe((await send(after.origin, '/v1/corpus')).json.languages[0].clipCount)
  expect((await send(after.origin, '/v1/usage', { key })).json).toMatchObject({ requests: 2 })
})

import { expect, test } from 'vitest'
import { join } from 'node:path'
import { run, start } from '../harness/command.ts'
import { root } from '../harness/site-service.ts'
import { tempFolder } from '../harness/temp-folder.ts'

test('a command whose site cannot be built says why, and ends', async () => {
  const folder = tempFolder()
  await run(folder, ['build', '--corpus', join(root, 'src', 'sample-corpus')])
  const site = start(folder, ['site', '--embed-url', 'nowhere'])
  expect(await site.exit).toBe(1)
  expect(site.stderr()).toContain('cannot build the site: Invalid URL\n')
}, 30_000)

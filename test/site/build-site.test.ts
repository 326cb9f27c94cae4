import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run, start } from '../harness/command.ts'
import { root } from '../harness/site-service.ts'
import { tempFolder } from '../harness/temp-folder.ts'

test('a command whose site cannot be built says why, and ends', async () => {
  const folder = tempFolder()
  await run(folder, ['build', '--corpus', join(root, 'src', 'sample-corpus')])
  rmSync(join(folder, 'dist', 'data', 'transcripts'), { recursive: true })
  const site = start(folder, ['site'])
  expect(await site.exit).toBe(1)
  expect(site.stderr()).toContain('cannot build the site: ')
}, 60_000)

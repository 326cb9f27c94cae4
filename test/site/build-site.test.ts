import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { longTest } from '../harness/fault-rounds.ts'
import { start } from '../harness/command.ts'
import { root } from '../harness/site-service.ts'
import { tempFolder } from '../harness/temp-folder.ts'

longTest('a command whose site cannot be built prints the reason without colours, and ends', async () => {
  const folder = tempFolder()
  const program = `if (process.argv[1]?.endsWith('astro.mjs')) {
    console.error('\\u001b[31mone\\u001b[39m\\ntwo')
    process.exit(9)
  }`
  const built = start(folder, ['build', '--corpus', join(root, 'src', 'sample-corpus')], {
    CLIP_LOOKUP_NO_SITE: '0',
    CLIP_LOOKUP_PREVIEW_WORDS: '0',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}`,
  })
  expect(await built.exit).toBe(0)
  const expected = 'not rebuilt: cannot build the site: astro build ended with 9:\none\ntwo\n'
  expect(built.stderr()).toContain(expected)
  rmSync(join(folder, 'dist', 'data', 'transcripts'), { recursive: true })
  const site = start(folder, ['site'])
  expect(await site.exit).toBe(1)
  expect(site.stderr()).toMatch(/annot build the site: .* no file "data\/transcripts\//s)
  expect(site.stderr()).not.toContain('[object')
})

test('refuses an operator’s address that a browser cannot open, and names the option', async () => {
  const site = start(tempFolder(), ['site', '--source-url', 'operator.example/source'])
  expect(await site.exit).toBe(2)
  expect(site.stderr()).toContain('--source-url must be an address that begins with http:// or https://')
})

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildTree, clips, corpus } from '../../nightly/small-corpus.ts'
import { start } from '../../harness/command.ts'
import { MemoryReport } from '../../harness/memory-report.ts'
import { writeSourceFolder } from '../../harness/source-folder.ts'
import { tempFolder } from '../../harness/temp-folder.ts'
import { siteFiles, writeSite } from './write-site.ts'

const siteBytes = 1_000_000
const swaps = 24

/** Returns a site of a megabyte that shares no file with another. */
function makeSite(number: number): Record<string, string> {
  return {
    ...siteFiles,
    'index.html': `<h1>Site ${number}</h1>`,
    [`_astro/app.${number}.js`]: `// ${number}\n${'export {}\n'.repeat(1000)}`,
    // Not compressed when it is sent, because that would take most of the time.
    [`_astro/picture.${number}.png`]: randomBytes(siteBytes / 2).toString('hex'),
  }
}

test('a replaced site frees its memory', async () => {
  const folder = tempFolder()
  await writeSourceFolder(join(folder, 'src'), corpus(clips(3)))
  await buildTree(join(folder, 'src'), join(folder, 'dist'))
  const memory = new MemoryReport(folder)
  await writeSite(folder, makeSite(0))
  const args = ['serve', '--port', '0', '--workers', '1', '--signup', '--public-per-minute', '1000000']
  const server = start(folder, args, memory.settings)
  const [, origin] = await server.says(/^listening on (\S+)$/m)

  const swapTo = async (number: number) => {
    await writeSite(folder, makeSite(number))
    server.child.kill('SIGHUP')
    const read = async (path: string) => {
      const answer = await fetch(origin + path, { headers: { 'accept-encoding': 'br' } })
      return [answer.status, (await answer.text()).slice(0, 20)]
    }
    await expect.poll(() => read('/')).toContainEqual(expect.stringMatching(`Site ${number}<`))
    for (const path of [`/_astro/app.${number}.js`, `/_astro/picture.${number}.png`, '/signup/'])
      expect((await read(path))[0]).toBe(200)
    const form = new URLSearchParams({ account: `account-${number}` })
    expect((await fetch(`${origin}/signup/`, { method: 'POST', body: form })).status).toBeLessThan(500)
  }
  // The first sites fill caches and compiled code, and the previous one stays.
  for (let number = 1; number <= 6; number++) await swapTo(number)
  const before = await memory.bytesInUse(server)
  for (let number = 7; number <= 6 + swaps; number++) await swapTo(number)
  const after = await memory.bytesInUse(server)
  // A leak of every site would take 24 MB, and of a tenth of each 2.4 MB.
  expect(after - before).toBeLessThan((swaps * siteBytes) / 10)
})

import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readGrowth } from '#site/build/growth.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { buildNights, fewNights } from '../nightly/few-nights.ts'

test('the growth includes every readable release up to one, the oldest first', async () => {
  const folder = tempFolder()
  const releases = await buildNights(folder, fewNights)
  const dist = join(folder, 'dist')
  const growth = await readGrowth(dist, releases[3]!)
  expect(growth.map(({ release }) => release)).toEqual(releases.slice(0, 4))
  expect(growth.map(({ clipCount }) => clipCount)).toEqual([4, 4, 4, 4])
  await rm(join(dist, 'releases', releases[0]!, 'manifest.json'))
  await writeFile(
    join(dist, 'releases', releases[1]!, 'manifest.json'),
    '{"format":"clip-lookup release","version":1}',
  )
  expect((await readGrowth(dist, releases[3]!)).map(({ release }) => release)).toEqual(releases.slice(2, 4))
})

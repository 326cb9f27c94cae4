import { expect, test } from 'vitest'
import { guardAgainst } from '#nightly/guards.ts'

const folders = { corpusFolder: '/srv/films', outFolder: '/srv/dist' }
const fine = {
  acceptedCount: 90,
  rejectedCount: 0,
  publishedCount: 100,
  withdrawn: 0,
  lostCatalogues: [],
  ...folders,
}

const rejected = '11 of 100 source clips were rejected, which is more than 10%. Nothing was published'
const lost =
  'the catalogue has no words left for en, ja (--max-shrink 100% accepts this). Nothing was published'
const gone =
  '21 of 100 published clips are gone from the source, which is more than 20% (--max-shrink). Nothing was published'
const other =
  'nothing was published, because "/srv/dist" was built from another corpus: none of its 100 clips is in "/srv/films". Build this one into another folder (--out "/srv/dist-films"), or replace the old corpus (--max-shrink 100%)'

test.each<[string, object, number, string | null]>([
  ['10% of the clips that are rejected', { rejectedCount: 10 }, 0.2, null],
  ['a rejected clip more', { acceptedCount: 89, rejectedCount: 11 }, 0.2, rejected],
  ['no words left in two languages', { lostCatalogues: ['en', 'ja'] }, 0.99, lost],
  ['no words left where all may go', { lostCatalogues: ['en', 'ja'] }, 1, null],
  ['the share of --max-shrink that is gone', { withdrawn: 20 }, 0.2, null],
  ['a clip more that is gone', { withdrawn: 21 }, 0.2, gone],
  ['no clip that is left, which is another corpus', { withdrawn: 100 }, 0.2, other],
  ['no clip that is left where all may go', { withdrawn: 100 }, 1, null],
])('a night with %s', (_, counts, maxShrink, reason) => {
  expect(guardAgainst({ ...fine, ...counts }, maxShrink)).toBe(reason)
})

test('if none may be removed, one missing clip stops the build, and so does an empty source', () => {
  expect(guardAgainst({ ...fine, withdrawn: 1 }, 0)).toContain('gone from the source')
  expect(guardAgainst({ ...fine, acceptedCount: 0, withdrawn: 100 }, 0.2)).toContain('gone from the source')
})

test('exactly the allowed share passes, for every size and percentage', () => {
  for (let tenth = 0; tenth < 1000; tenth++)
    expect(guardAgainst({ ...fine, acceptedCount: tenth * 9, rejectedCount: tenth }, 0.2)).toBeNull()
  for (let percent = 0; percent <= 100; percent++)
    expect(guardAgainst({ ...fine, withdrawn: percent }, percent / 100)).toBeNull()
})

import { describe, expect, test } from 'vitest'
import { guardAgainst } from '#build/guards.ts'

const fine = {
  accepted: 90,
  rejected: 0,
  published: 100,
  withdrawn: 0,
  lostCatalogues: [] as string[],
  corpusFolder: '/srv/films',
  outFolder: '/srv/dist',
}

describe('rejected clips', () => {
  test('10% of those read are let pass, one more stops the build', () => {
    expect(guardAgainst({ ...fine, accepted: 90, rejected: 10 }, 0.2)).toBeNull()
    expect(guardAgainst({ ...fine, accepted: 89, rejected: 11 }, 0.2)).toBe(
      '11 of 100 source clips were rejected, more than 10%: nothing was published',
    )
    expect(guardAgainst({ ...fine, accepted: 9, rejected: 1 }, 0.2)).toBeNull()
    expect(guardAgainst({ ...fine, accepted: 8, rejected: 1 }, 0.2)).not.toBeNull()
  })

  test('exactly 10% passes for every size', () => {
    const stopped = Array.from({ length: 1000 }, (_, i) => i).filter(
      (tenth) => guardAgainst({ ...fine, accepted: tenth * 9, rejected: tenth }, 0.2) !== null,
    )
    expect(stopped).toEqual([])
  })
})

describe('a catalogue that is gone', () => {
  test('stops the build, unless all may go', () => {
    const counts = { ...fine, lostCatalogues: ['en', 'ja'] }
    expect(guardAgainst(counts, 0.99)).toBe(
      'the catalogue has no words left for en, ja (--max-shrink 100% accepts this): nothing was published',
    )
    expect(guardAgainst(counts, 1)).toBeNull()
  })
})

describe('published clips that are gone', () => {
  test('the share of --max-shrink is let pass, one more stops the build', () => {
    expect(guardAgainst({ ...fine, withdrawn: 20 }, 0.2)).toBeNull()
    expect(guardAgainst({ ...fine, withdrawn: 21 }, 0.2)).toBe(
      '21 of 100 published clips are gone from the source, more than 20% (--max-shrink): nothing was published',
    )
  })

  test('exactly the share passes for every percentage', () => {
    const shares = Array.from({ length: 101 }, (_, percent) => percent)
    const stopped = shares.filter((p) => guardAgainst({ ...fine, withdrawn: p }, p / 100) !== null)
    expect(stopped).toEqual([])
  })

  test('all of them gone is another corpus: the reason names both folders and an --out', () => {
    expect(guardAgainst({ ...fine, withdrawn: 100 }, 0.2)).toBe(
      '"/srv/dist" has another corpus: none of its 100 clips is in "/srv/films". Build this one into another folder (--out "/srv/dist-films"), or replace the old corpus (--max-shrink 100%): nothing was published',
    )
    expect(guardAgainst({ ...fine, accepted: 0, withdrawn: 100 }, 0.2)).toContain('gone from the source')
  })

  test('0% lets none go, 100% lets all go', () => {
    expect(guardAgainst({ ...fine, withdrawn: 1 }, 0)).not.toBeNull()
    expect(guardAgainst({ ...fine, withdrawn: 100 }, 1)).toBeNull()
  })
})

import { describe } from 'vitest'

const folder = process.env.CLIP_LOOKUP_TEST_DATA

/** Defines tests on real data, which receive its folder; they are skipped if there is none. */
export function describeRealData(title: string, tests: (data: string) => void): void {
  const note = folder ? '' : ' (skipped: CLIP_LOOKUP_TEST_DATA names no test data)'
  describe.skipIf(!folder)(title + note, () => {
    tests(folder ?? '')
  })
}

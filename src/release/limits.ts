/** The maximum sizes of a release, with reasons. */
import { largestBytes } from './tree-path.ts'

interface Limit {
  value: number
  /** The place of the files that count, from the root of the tree. */
  place: string
  /** The unit that is counted, after a number. */
  unit: string
  /** The advice before the limit is reached: a sentence without a full stop. */
  advice: string
}

const splitAdvice = 'Split the corpus into several trees, such as one for each language'

/** The limits, keyed by name. `operate/capacity` explains them. */
const limits = {
  // The maximum size of a Set in V8: builds, prunes and publications put all files into one.
  files: { value: 2 ** 24, place: 'data/', unit: 'files', advice: splitAdvice },
  // Hash tables have twice as many slots, whose numbers are computed as signed 32-bit integers.
  clipRows: {
    value: 2 ** 30,
    place: 'clips.bin',
    unit: 'clips, including withdrawn ones',
    advice: splitAdvice,
  },
  // The maximum size of a Map in V8: a build puts all words into one.
  words: { value: 2 ** 24, place: 'words.bin', unit: 'words', advice: splitAdvice },
  // The most that a proxy downloads from an origin.
  tableBytes: {
    value: largestBytes('releases/000001-00000000/clips.bin'),
    place: 'clips.bin, words.bin or spellings.bin',
    unit: 'bytes',
    advice: splitAdvice,
  },
  changesBytes: {
    value: largestBytes('releases/000001-00000000/changes.json'),
    place: 'changes.json',
    unit: 'bytes',
    advice: 'Publish a new tree in several builds, each with a part of the clips',
  },
} as const satisfies Record<string, Limit>

export type LimitName = keyof typeof limits
/** The known sizes of a release, or other values for limits. */
export type LimitedSizes = { readonly [Name in LimitName]?: number | undefined }

/**
 * Returns the number of files under `data/`: two for each clip, and the pages of the words' lists.
 */
export function countFiles(clipCount: number, pageCount: number): number {
  return 2 * clipCount + pageCount
}

/** The share of a limit from which on operators are warned. */
const warningShare = 0.8

/**
 * Finds the sizes that are at least 80% of their limits. `values` override limits. Each reason is a
 * clause without its subject, which is the release.
 */
export function compareWithLimits(sizes: LimitedSizes, values: LimitedSizes = {}) {
  return (Object.keys(limits) as LimitName[]).flatMap((name) => {
    const { place, unit, advice, value: usualValue } = limits[name]
    const value = values[name] ?? usualValue
    const size = sizes[name] ?? 0
    if (size < warningShare * value) return []
    const share = Math.floor((100 * size) / value)
    const reason = `has ${size} ${unit}, which is ${share}% of the limit of ${value}. ${advice}`
    return [{ place, isExceeded: size > value, reason }]
  })
}

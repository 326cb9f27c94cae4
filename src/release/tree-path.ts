import { TreeFault } from './tree.ts'

/** Matches printable ASCII without the characters that end or escape a path in a URL. */
const pathForm = /^[^/?#%\\][\x21-\x7e]*$/
const otherForm = /[?#%\\]|(^|\/)\.{0,2}(\/|$)/

/**
 * Refuses a path that could leave the tree, or that an HTTP request cannot contain. Names come from
 * an origin's files.
 *
 * @throws {TreeFault}
 */
export function requireTreePath(path: string): void {
  if (!pathForm.test(path) || otherForm.test(path))
    throw new TreeFault('wrong', path, `cannot read ${JSON.stringify(path)}: it is not a path in a tree`)
}

const mib = 1024 * 1024

/** The maximum sizes of files in bytes, by path; the first matching pattern is used. */
const largest: readonly [RegExp, number][] = [
  [/^(current|index)\.json$/, mib],
  [/^data\/(clips|transcripts|words)\/|^data\/corpus\./, 16 * mib],
  [/^releases\/[^/]+\/\w+\.(bin|delta)$/, 4096 * mib],
  [/^releases\/[^/]+\/changes\.json$/, 1024 * mib],
]
const largestOther = 128 * mib

/** Returns the maximum number of bytes to read from an origin for a file. */
export function largestBytes(path: string): number {
  return largest.find(([form]) => form.test(path))?.[1] ?? largestOther
}

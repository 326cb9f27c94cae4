import { TreeFault } from './tree.ts'

/** Printable ASCII without what ends or escapes a path in a URL. */
const pathForm = /^[^/?#%\\][\x21-\x7e]*$/
const otherForm = /[?#%\\]|(^|\/)\.{0,2}(\/|$)/

/**
 * Refuses a path that could leave the tree, or that an HTTP request cannot have. Names come from
 * files that an origin sent.
 *
 * @throws {TreeFault}
 */
export function requireTreePath(path: string): void {
  if (!pathForm.test(path) || otherForm.test(path))
    throw new TreeFault('wrong', path, `cannot read ${JSON.stringify(path)}: it is not a path in a tree`)
}

const mib = 1024 * 1024

/** The most bytes that a file can have, by its path; the first that fits counts. */
const largest: readonly [RegExp, number][] = [
  [/^(current|index)\.json$/, mib],
  [/^data\/(clips|transcripts|words)\/|^data\/corpus\./, 16 * mib],
  [/^releases\/[^/]+\/\w+\.(bin|delta)$/, 4096 * mib],
  [/^releases\/[^/]+\/changes\.json$/, 1024 * mib],
]
const largestOther = 128 * mib

/** The most bytes to read from an origin for a file. */
export function largestBytes(path: string): number {
  return largest.find(([form]) => form.test(path))?.[1] ?? largestOther
}

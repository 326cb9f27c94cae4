/** Where a text stands in the headwords: the suffixes from `from` up to `to`, which it begins. */
export interface Places {
  from: number
  to: number
}

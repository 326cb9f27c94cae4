import { basename } from 'node:path'

/** The largest share of rejected clips. Above it, the source as a whole is broken. */
const maxRejectedShare = 0.1
/** 100 * 0.29 is 28.999…, but 29 clips of 100 are not more than 29%. */
const roundingSlack = 1e-9

/**
 * Checks whether a build would do harm (contract 2). Returns the reason to stop, or null.
 *
 * `maxShrink` is a share, 0 to 1.
 */
export function guardAgainst(
  counts: {
    acceptedCount: number
    rejectedCount: number
    publishedCount: number
    withdrawn: number
    /** The languages that had words in the previous release and have none in the catalogue. */
    lostCatalogues: readonly string[]
    corpusFolder: string
    outFolder: string
  },
  maxShrink: number,
): string | null {
  const { acceptedCount, rejectedCount, publishedCount, withdrawn, lostCatalogues, corpusFolder, outFolder } =
    counts
  const sourceCount = acceptedCount + rejectedCount
  if (rejectedCount > sourceCount * maxRejectedShare) {
    return `${rejectedCount} of ${sourceCount} source clips were rejected, which is more than ${percent(maxRejectedShare)}. Nothing was published`
  }
  if (withdrawn > publishedCount * maxShrink + roundingSlack) {
    if (withdrawn === publishedCount && acceptedCount > 0) {
      const other = `${outFolder}-${basename(corpusFolder)}`
      return `nothing was published, because "${outFolder}" was built from another corpus: none of its ${publishedCount} clips is in "${corpusFolder}". Build this one into another folder (--out "${other}"), or replace the old corpus (--max-shrink 100%)`
    }
    return `${withdrawn} of ${publishedCount} published clips are gone from the source, which is more than ${percent(maxShrink)} (--max-shrink). Nothing was published`
  }
  if (lostCatalogues.length > 0 && maxShrink < 1) {
    return `the catalogue has no words left for ${lostCatalogues.join(', ')} (--max-shrink 100% accepts this). Nothing was published`
  }
  return null
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(2))}%`
}

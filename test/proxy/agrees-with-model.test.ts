import fc from 'fast-check'
import { test } from 'vitest'
import { recordRequests, recordsAgree } from './agreement/records.ts'
import { feedAgrees, feedRequests } from './agreement/feed.ts'
import { listRequests, listsAgree } from './agreement/lists.ts'
import { holdsForCorpora } from './agreement/served.ts'

const allRuns = 40

test('every operation answers as the model does, for any corpus', async () => {
  await holdsForCorpora(
    allRuns,
    (corpus) =>
      fc.record({
        records: recordRequests(corpus),
        lists: listRequests(corpus),
        walks: feedRequests(corpus),
      }),
    async (served, { records, lists, walks }) => {
      await recordsAgree(served, records)
      await listsAgree(served, lists)
      await feedAgrees(served, walks)
    },
  )
})

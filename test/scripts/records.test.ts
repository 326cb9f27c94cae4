import { expect, test } from 'vitest'
import { csv } from '../../scripts/records.ts'

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])(
  '%j is no formula in a spreadsheet',
  (account) => {
    const [, row] = csv([{ account }], ['account']).split(/\r\n/, 2)
    expect(row).toMatch(/^"?'/)
  },
)

test('leaves other cells unchanged', () => {
  expect(csv([{ account: 'a-b=c', requests: 0, limit: null }], ['account', 'requests', 'limit'])).toBe(
    'account,requests,limit\r\na-b=c,0,',
  )
})

import { expect, test } from 'vitest'
import { replaceAddress } from '#site/build/replace-address.ts'

const siteUrl = 'https://api.example'

test.each([
  ['curl http://127.0.0.1:8080/v1/corpus', 'curl https://api.example/v1/corpus'],
  [
    '<span>`<span>http</span><span style="--0:#C792EA">:</span><span>//127.0.0.1:8080/v1</span></span>',
    '<span>`<span>https://api.example/v1</span></span>',
  ],
  ['http://127x0.0.1:8080 http://127.0.0.1:9000', 'http://127x0.0.1:8080 http://127.0.0.1:9000'],
])('%j becomes %j', (text, expected) => expect(replaceAddress(text, siteUrl)).toBe(expected))

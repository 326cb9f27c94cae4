import { expect, test } from 'vitest'
import { contentSecurityPolicy, inlineScripts } from '#site/policy.ts'

test('inline scripts are those that run and are no file', () => {
  const html = `<script>one()</script><script src="/x.js"></script><script type="application/json">{}</script>
    <script type="module">two()</script>`
  expect(inlineScripts(html)).toEqual(['one()', 'two()'])
})

test('the policy lets those run by their hash, each once, and no other', () => {
  const page = '<script>one()</script>'
  const policy = contentSecurityPolicy([page, page], ['https://www.youtube.com'])
  const scripts = /script-src ([^;]*)/.exec(policy)![1]!
  expect(scripts.split(' ').filter((source) => source.startsWith(`'sha256-`))).toHaveLength(1)
  expect(scripts).not.toMatch(/'unsafe-(inline|eval)'/)
  expect(policy).toContain('frame-src https://www.youtube.com')
})

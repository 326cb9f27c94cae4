import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { contentSecurityPolicy } from '#site/build/policy.ts'

const frames = 'https://www.youtube.com'
const component = '---\n---\n<script is:inline>one()</script><script>bundled()</script>'
/** Astro leaves inline scripts unchanged, and puts the others into files. */
const page = '<script>one()</script><script>bundled()</script>'
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const scriptsOf = (policy: string) => /script-src ([^;]*)/.exec(policy)![1]!.split(' ')

test('the policy lets the inline scripts of components run by their hash, each once, and no other', () => {
  const policy = contentSecurityPolicy([page, page], [component], frames)
  expect(scriptsOf(policy)).toEqual([`'self'`, `'wasm-unsafe-eval'`, hashOf('one()')])
  expect(policy).toContain('frame-src https://www.youtube.com')
})

test('text of the corpus never adds to the policy, wherever a page contains it', () => {
  const titles = Array.from({ length: 60 }, (_, i) => `<script>alert(${i})</script>`)
  const pages = titles.flatMap((title) => [`<p title='${title}'></p>${page}`, `<p>${title}</p>${page}`])
  expect(contentSecurityPolicy(pages, [component], frames)).toBe(
    contentSecurityPolicy([page], [component], frames),
  )
})

test('refuses a policy that would make a header too long', () => {
  const scripts = Array.from({ length: 60 }, (_, i) => `run(${i})`)
  const pages = scripts.map((text) => `<script>${text}</script>`)
  const components = scripts.map((text) => `<script is:inline>${text}</script>`)
  const reason = /must have at most 2000 characters, its 60 inline scripts/
  expect(() => contentSecurityPolicy(pages, components, frames)).toThrow(reason)
})

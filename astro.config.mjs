import { readFileSync } from 'node:fs'
import sitemap from '@astrojs/sitemap'
import starlight from '@astrojs/starlight'
import node from '@astrojs/node'
import { defineConfig, passthroughImageService } from 'astro/config'
import { operations } from './src/contract/operations.ts'
import { eastAsianWord, languageOfWord } from './src/site/components/east-asian-words.ts'

// What `clip-lookup site` hands over; without it (in an editor, for the type check) there are no reference pages and nothing can be built.
const inputFile = process.env.CLIP_LOOKUP_SITE_INPUT
const input = inputFile ? JSON.parse(readFileSync(inputFile, 'utf8')) : null
const reference = {
  label: 'API reference',
  items: [
    { label: 'Overview', link: '/reference/' },
    ...operations.map(({ id, path }) => ({
      label: path,
      link: `/reference/operations/${id.toLowerCase()}/`,
    })),
  ],
}

/** Marks the code in texts that is longer than a line of a narrow screen. */
const longCode = {
  name: 'long-code',
  element: {
    filter: ['code'],
    visit(node, context) {
      if (context.textContent(node).length > 30) context.setProperty(node, 'className', ['long'])
    },
  },
}

/** Marks the cells of a table whose text should not wrap, and those that need a wide column. */
const cellWidths = {
  name: 'cell-widths',
  element: {
    filter: ['td'],
    visit(node, context) {
      const { length } = context.textContent(node)
      if (length <= 12) context.setProperty(node, 'className', ['short'])
      else if (length > 40) context.setProperty(node, 'className', ['long'])
    },
  },
}

/** Marks words in East Asian scripts with their languages, for which a browser chooses the font. */
const eastAsianWords = {
  name: 'east-asian-words',
  text(node, context) {
    const parts = node.value.split(eastAsianWord)
    if (parts.length === 1) return
    let block = context.parent(node)
    while (block.type === 'element' && !/^(p|li|tr|dd|h[1-6]|pre)$/.test(block.tagName))
      block = context.parent(block)
    // Code blocks have a plugin of their own, in `ec.config.mjs`.
    if (block.tagName === 'pre') return
    const text = context.textContent(block)
    const nodes = parts.map((value, i) => {
      const part = { type: 'text', value }
      if (i % 2 === 0) return part
      const properties = { lang: languageOfWord(value, text) }
      return { type: 'element', tagName: 'span', properties, children: [part] }
    })
    context.replaceNode(node, nodes)
  },
}

export default defineConfig({
  site: input?.siteUrl ?? 'http://127.0.0.1:8080',
  ...(input ? { outDir: input.folders.out, cacheDir: input.folders.cache } : {}),
  srcDir: './src/site',
  trailingSlash: 'always',
  // The proxy renders the few pages that depend on a request. It checks the origin of forms itself.
  adapter: node({ mode: 'middleware', experimentalDisableStreaming: true }),
  session: false,
  security: { checkOrigin: false },
  image: { service: passthroughImageService() },
  // Scripts and styles in files of their own: the policy then need not know them.
  build: { inlineStylesheets: 'never' },
  vite: {
    // Also for the pages that the proxy renders, which have no input.
    define: { OPERATOR: JSON.stringify(input?.operator ?? {}) },
    // Not in node_modules: the project may be on a file system that is read-only.
    ...(input ? { cacheDir: `${input.folders.cache}/vite` } : {}),
    build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 2000 },
    // Pages are rendered in the tree, which may have a node_modules with other versions beside it.
    environments: { ssr: { resolve: { noExternal: true } }, prerender: { resolve: { noExternal: true } } },
  },
  integrations: [
    {
      name: 'text-marks',
      hooks: {
        'astro:config:setup': ({ config }) =>
          void config.markdown.processor.options.hastPlugins.push(longCode, cellWidths, eastAsianWords),
      },
    },
    // Only the form itself is a page to find; the others answer it.
    sitemap({ filter: (page) => !/\/(signup\/.|sample-(player|clips)\/)/.test(page) }),
    starlight({
      title: 'Clip Lookup',
      description:
        'Find the short video clips that say a word, and walk a feed with one word worth learning in each.',
      favicon: '/favicon.svg',
      logo: { src: './src/site/components/logo.svg', replacesTitle: false },
      customCss: [
        '@fontsource-variable/inter/index.css',
        './src/site/components/styles/fallback-font.css',
        './src/site/components/styles/theme.css',
        './src/site/components/styles/print.css',
      ],
      components: {
        Head: './src/site/components/Head.astro',
        Header: './src/site/components/Header.astro',
        Search: './src/site/components/Search.astro',
        Sidebar: './src/site/components/Sidebar.astro',
        Hero: './src/site/components/Hero.astro',
        SocialIcons: './src/site/components/HeaderLinks.astro',
        Footer: './src/site/components/Footer.astro',
        MarkdownContent: './src/site/components/MarkdownContent.astro',
      },
      expressiveCode: {
        styleOverrides: { borderRadius: '0.6rem', frames: { shadowColor: 'transparent' } },
        // Commands look the same with and without tabs.
        defaultProps: { wrap: true, overridesByLang: { 'bash,sh': { frame: 'none' } } },
      },
      lastUpdated: false,
      disable404Route: false,
      pagination: true,
      routeMiddleware: './src/site/route-data.ts',
      sidebar: [
        {
          label: 'Start',
          items: [
            'quick-start',
            'guides/authentication',
            'guides/limits',
            'explorer',
            'console',
            'usage',
            { label: 'Get a key', link: '/signup/' },
          ],
        },
        {
          label: 'Guides',
          items: [
            'guides/client-libraries',
            'guides/python-client',
            'guides/client-examples',
            'guides/language-models',
            'guides/word-page',
            'guides/browser',
            'guides/player',
            'guides/make-flashcards',
            'guides/spaced-repetition',
            'guides/feed',
            'guides/known-words',
            'guides/words',
            'guides/clips',
            'guides/sentences',
            'guides/transcripts',
            'guides/caching',
            'guides/files',
            'guides/errors',
            'guides/versioning',
          ],
        },
        reference,
        {
          label: 'About',
          items: [
            'corpus',
            'about/clips',
            'about/plans',
            'about/contact',
            'glossary',
            'changelog',
            'about/licence',
          ],
        },
        {
          label: 'Start',
          items: ['operate/overview', 'operate/containers', 'operate/systemd', 'operate/upgrade'],
        },
        {
          label: 'Corpus and builds',
          items: [
            'operate/corpus-format',
            'operate/import',
            'operate/languages',
            'operate/build',
            'operate/releases',
          ],
        },
        {
          label: 'Serve',
          items: [
            'operate/serve',
            'operate/keys-and-accounts',
            'operate/admin-api',
            'operate/stores',
            'operate/cdn',
            'operate/several-machines',
          ],
        },
        {
          label: 'Maintain',
          items: [
            'operate/monitoring',
            'operate/runbook',
            'operate/backups',
            'operate/capacity',
            'operate/dependencies',
            'operate/commands',
          ],
        },
        { label: 'Design', collapsed: true, items: [{ autogenerate: { directory: 'design' } }] },
        { label: 'Decisions', collapsed: true, items: [{ autogenerate: { directory: 'decisions' } }] },
      ],
    }),
  ],
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeHTML } from 'entities'
import fastGlob from 'fast-glob'
import { siteTree } from '../harness/site-service.ts'

/** A page of the built site. */
export interface Page {
  /** `/quick-start/` */
  path: string
  html: string
}

/** Excludes the examples to copy and the player of sample clips, which are separate pages. */
export function readPages(): Page[] {
  const folder = join(siteTree, 'site')
  return fastGlob
    .sync('**/*.html', { cwd: folder, ignore: ['examples/**', 'sample-player/**'] })
    .sort()
    .map((name) => ({
      path: '/' + name.replace(/index\.html$/, ''),
      html: readFileSync(join(folder, name), 'utf8'),
    }))
}

/** Returns the text of a piece of HTML. */
export function textOf(html: string): string {
  const bare = html.replace(/<(script|style)\b[\s\S]*?<\/\1>/g, '').replace(/<[^>]+>/g, '')
  return decodeHTML(bare)
}

/** An example on a page, as it is copied. */
export interface Example {
  page: string
  language: string
  code: string
}

/** Returns every code block of the pages, as the copy button copies it. */
export function readExamples(pages: readonly Page[]): Example[] {
  return pages.flatMap(({ path, html }) =>
    [...html.matchAll(/<pre data-language="(\w+)"[\s\S]*?<\/pre>[\s\S]*?data-code="([^"]*)"/g)].map(
      ([, language, code]) => ({
        page: path,
        language: language!,
        code: decodeHTML(code!).replaceAll('\u007f', '\n'),
      }),
    ),
  )
}

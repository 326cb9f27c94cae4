declare module '@joplin/turndown-plugin-gfm' {
  import type { Plugin } from 'turndown'
  export const gfm: Plugin
}

/** The text of a style sheet. */
declare module '*.css?inline' {
  const text: string
  export default text
}

/// <reference types="astro/client" />
// Its declarations of `Astro.locals` have no entry of their own in its package.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="../../node_modules/@astrojs/starlight/dist/global.d.ts" />

/** The site's data about its operator: see `Operator` in src/site/build/site-input.ts. */
declare const OPERATOR: import('./build/site-input.ts').Operator

declare namespace App {
  interface Locals {
    /** The values that a page shows when it is rendered for a request. */
    page: unknown
  }
}

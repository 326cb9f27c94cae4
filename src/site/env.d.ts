/// <reference types="astro/client" />
// Its declarations of `Astro.locals` have no entry of their own in its package.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="../../node_modules/@astrojs/starlight/dist/global.d.ts" />

/** What the site says of its operator: see `Operator` in src/site/build/site-input.ts. */
declare const OPERATOR: import('./build/site-input.ts').Operator

declare namespace App {
  interface Locals {
    /** What a page shows that is rendered for a request. */
    page: unknown
  }
}

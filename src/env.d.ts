/// <reference types="astro/client" />
// Its declarations of `Astro.locals` have no entry of their own in its package.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="../node_modules/@astrojs/starlight/dist/global.d.ts" />

declare namespace App {
  interface Locals {
    /** Of pages rendered on demand: what the proxy gives them. */
    signUp: import('#proxy/site/pages-on-demand.ts').PageLocals['signUp']
    isForeignForm: boolean
  }
}

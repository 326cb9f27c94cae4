/// <reference types="astro/client" />
/// <reference path="../node_modules/@astrojs/starlight/dist/global.d.ts" />

declare namespace App {
  interface Locals {
    /** Of pages rendered on demand: what the proxy gives them. */
    signUp: import('#proxy/site/pages-on-demand.ts').PageLocals['signUp']
    isForeignForm: boolean
  }
}

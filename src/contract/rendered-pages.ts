import type { Usage } from './usage.ts'

/** The pages that the proxy has rendered for a request, and what each of them shows. */
export interface RenderedPages {
  '/signup/': SignUpPage
  '/key/': KeyPage
}

/** The sign-up: the empty form, what is wrong with one that was sent, or the key it made. */
export interface SignUpPage {
  fault?: string | undefined
  /** The name that was filled in. */
  name?: string | undefined
  created?: { account: string; key: string }
}

/** What a key's holder sees of it. */
export interface KeyPage {
  fault?: string | undefined
  usage?: Usage
  isDisabled?: boolean
}

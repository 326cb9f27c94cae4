import type { Usage } from './usage.ts'

/** The pages that are rendered for each request, with their data. */
export interface RenderedPages {
  '/signup/': SignUpPage
  '/key/': KeyPage
}

/** The sign-up page: an empty form, a form with a fault, or the new key. */
export interface SignUpPage {
  fault?: string | undefined
  /** The account name in the form. */
  name?: string | undefined
  newKey?: { account: string; key: string }
}

/** The page on which users see the state of their key. */
export interface KeyPage {
  fault?: string | undefined
  usage?: Usage
  isDisabled?: boolean
}

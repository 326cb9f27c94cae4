import { ClipLookupError } from '#client/error.ts'

const advice: Record<string, string> = {
  invalid_key: 'The user must set CLIP_LOOKUP_KEY to a valid key. Do not try again.',
  not_found: 'Use a link or id that find_clips or next_clip has shown.',
  quota_exceeded: 'Do not try again before then. show_usage is free.',
  network: 'The service cannot be reached. The user must check the address given with --api.',
  timeout: 'The service is slow. Try again once.',
  bad_response: 'The address given with --api does not lead to the API.',
  unavailable: 'Try again in a minute.',
  internal: 'Try again once.',
}

/** Returns what went wrong and what a language model can do about it. */
export function explainError(error: unknown): string {
  const { message } = error as Error
  const sentence = /[.!?]$/.test(message) ? message : `${message}.`
  if (!(error instanceof ClipLookupError)) return sentence
  const next = advice[error.code]
  return next === undefined ? sentence : `${sentence} ${next}`
}

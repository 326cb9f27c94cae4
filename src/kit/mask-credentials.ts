/** The scheme of an address, and what stands before its host. A password may contain anything. */
const credentials = /\b([a-z][a-z\d+.-]*:\/\/)[^\s"'/@]*(?::[^\s"']*)?@/gi

/**
 * Hides the credentials of addresses in a text.
 *
 *     maskCredentials('cannot reach s3://ann:pass/word@bucket') // 'cannot reach s3://…@bucket'
 */
export function maskCredentials(text: string): string {
  return text.replace(credentials, '$1…@')
}

/** The credentials in a web address, whose path may contain an @. */
const webCredentials = /\b(https?:\/\/)[^\s"'/@]*(?::[^\s"']*)?@/gi
/**
 * The credentials in any other address, such as that of a store. They may contain any character.
 */
const otherCredentials = /\b((?!https?:)[a-z][a-z\d+.-]*:\/\/).*@/gi

/**
 * Hides the credentials of addresses in a text.
 *
 *     maskCredentials('cannot reach s3://ann:pass/word@bucket') // 'cannot reach s3://…@bucket'
 */
export function maskCredentials(text: string): string {
  return text.replace(webCredentials, '$1…@').replace(otherCredentials, '$1…@')
}

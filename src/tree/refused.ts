/** What an operator asked for was not done, and nothing was changed; the message says why. */
export class Refused extends Error {
  override name = 'Refused'
}

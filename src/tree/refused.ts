/** What an operator asked for was not done, and nothing was changed. The message says why. */
export class Refused extends Error {
  override name = 'Refused'
}

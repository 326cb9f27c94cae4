/** A file that cannot become a clip. The message says why, and how to mend it where that is known; it does not repeat the file's name. */
export class Rejection extends Error {
  override name = 'Rejection'
}

/**
 * A file that cannot become a clip. The message says why, and how to mend it where that is known;
 * it does not repeat the file's name.
 */
export class Rejection extends Error {
  override name = 'Rejection'
}

/**
 * A file that is not meant to become a clip in this run: nothing is wrong with it. The message says
 * why.
 */
export class Skip extends Error {
  override name = 'Skip'
}

/** A file that is of no format that is read: in a folder it may well be something else. */
export class UnknownFormat extends Rejection {}

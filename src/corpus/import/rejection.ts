/**
 * A file that cannot become a clip. The message says why and, if possible, how to fix it. It does
 * not repeat the file's name.
 */
export class Rejection extends Error {
  override name = 'Rejection'
}

/** A file that is not meant to become a clip in this run. The message says why. */
export class Skip extends Error {
  override name = 'Skip'
}

/** A file of an unknown format: in a folder it may well be something else. */
export class UnknownFormat extends Rejection {}

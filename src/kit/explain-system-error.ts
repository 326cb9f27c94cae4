import described from './explain-system-error.json' with { type: 'json' }

/** Remedies for errors of the file system, by code, and names of failed actions, by system call. */
const { remedies, actions }: Record<'remedies' | 'actions', Record<string, string>> = described

/** The meaning of ENOENT for a new folder, whose parents `makeFolder` has already created. */
const noFolderThere = 'the file system does not allow a folder there. Choose another path'

/**
 * Returns an error of the file system as a sentence: the action, the path, the fault and what to
 * do. Returns the message of any other error unchanged.
 *
 *     explainSystemError(new Error('no such release')) // 'no such release'
 *
 * For example `cannot make the folder "/srv/dist": permission denied; run the command as …`.
 */
export function explainSystemError(error: Error): string {
  const { code, syscall, path, message } = error as NodeJS.ErrnoException
  const remedy = code === 'ENOENT' && syscall === 'mkdir' ? noFolderThere : remedies[code ?? '']
  if (remedy === undefined || syscall === undefined) return message
  const action = actions[syscall] ?? syscall
  return `cannot ${action}${path === undefined ? '' : ` ${JSON.stringify(path)}`}: ${remedy}`
}

/**
 * Returns an error with the path of the file, which the system leaves out for a file that is open.
 *
 *     withPath(new Error('no such release'), '/srv/dist').message // 'no such release'
 */
export function withPath(error: Error, path: string): Error {
  return isSystemError(error) ? Object.assign(error, { path: error.path ?? path }) : error
}

/** SQLite's code for a mistake in a statement. All others concern the file, such as a full disk. */
const sqliteError = 1

/**
 * Whether an error comes from the system or a database, so that a message says more than a stack.
 *
 *     isSystemError(new Error('no such release')) // false
 */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  if (!(error instanceof Error)) return false
  const { code, syscall, errcode } = error as NodeJS.ErrnoException & { errcode?: number }
  return syscall !== undefined || (code === 'ERR_SQLITE_ERROR' && errcode !== sqliteError)
}

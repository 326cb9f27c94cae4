import described from './explain-system-error.json' with { type: 'json' }

/** What to do about an error of the file system, by its code, and what was done, by its call. */
const { remedies, actions }: Record<'remedies' | 'actions', Record<string, string>> = described

/** `makeFolder` makes the folders above first, so that none of them can be missing. */
const noFolderThere = 'the file system does not allow a folder there. Choose another path'

/**
 * An error of the file system as a sentence: what was being done, to which path, what is wrong and
 * what to do. The message of any other error as it is.
 *
 *     explainSystemError(new Error('no such release')) // 'no such release'
 *
 * Of an EACCES: `cannot make the folder "/srv/dist": permission denied; run the command as …`.
 */
export function explainSystemError(error: Error): string {
  const { code, syscall, path, message } = error as NodeJS.ErrnoException
  const remedy = code === 'ENOENT' && syscall === 'mkdir' ? noFolderThere : remedies[code ?? '']
  if (remedy === undefined || syscall === undefined) return message
  const action = actions[syscall] ?? syscall
  return `cannot ${action}${path === undefined ? '' : ` ${JSON.stringify(path)}`}: ${remedy}`
}

/** A mistake in a statement. All others are of the file: it is damaged, or the disk is full. */
const sqliteError = 1

/**
 * Whether an error comes from the system or a database: a message explains it better than a stack.
 *
 *     isSystemError(new Error('no such release')) // false
 */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  if (!(error instanceof Error)) return false
  const { code, syscall, errcode } = error as NodeJS.ErrnoException & { errcode?: number }
  return syscall !== undefined || (code === 'ERR_SQLITE_ERROR' && errcode !== sqliteError)
}

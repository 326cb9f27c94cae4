/** What to do about an error of the file system, by its code. */
const remedies: Record<string, string> = {
  EACCES: 'permission denied; run the command as another user, or change the owner or mode',
  EPERM: 'the operation is not permitted; run the command as another user',
  EROFS: 'the file system is read-only; choose another folder',
  ENOENT: 'there is no such file or folder; check the path',
  ENOTDIR: 'a part of the path is a file and not a folder; check the path',
  EISDIR: 'it is a folder and not a file; check the path',
  EEXIST: 'the path, or a part of it, already exists and is a file; choose another path',
  ENOTEMPTY: 'the folder is not empty',
  EADDRINUSE: 'the port is taken; choose another',
  EADDRNOTAVAIL: 'this machine has no such address; choose one that it has',
  ENOTFOUND: 'there is no such host; check the name',
  ENOSPC: 'no space is left on the device',
  EDQUOT: 'the disk quota is used up',
  EMFILE: 'too many files are open; raise "ulimit -n"',
}

/** `makeFolder` makes the folders above first, so that none of them can be missing. */
const noFolderThere = 'the file system does not allow a folder there; choose another path'

const actions: Record<string, string> = {
  open: 'open',
  mkdir: 'make the folder',
  rmdir: 'delete the folder',
  rename: 'rename',
  unlink: 'delete',
  rm: 'delete',
  scandir: 'list the folder',
  opendir: 'list the folder',
  stat: 'look at',
  lstat: 'look at',
  access: 'reach',
  write: 'write',
  writev: 'write',
  read: 'read',
  fsync: 'write',
  copyfile: 'copy',
  link: 'link',
  ftruncate: 'write',
}

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

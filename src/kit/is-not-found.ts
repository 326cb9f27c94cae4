/**
 * Whether an error of the file system says that there is no such file or folder (ENOENT).
 *
 *     isNotFound(Object.assign(new Error(), { code: 'ENOENT' })) // true
 */
export function isNotFound(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'ENOENT'
}

/**
 * Whether an error of the file system says that there is no such file or folder (ENOENT).
 *
 *     readFile(path).catch((error) => {
 *       if (isNotFound(error)) return null
 *       throw error
 *     })
 */
export function isNotFound(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'ENOENT'
}

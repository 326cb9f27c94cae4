/**
 * Runs examples one after another in one process: the files in the arguments, which are modules.
 * Prints the error of each.
 */
import { pathToFileURL } from 'node:url'

for (const file of process.argv.slice(2)) {
  try {
    await import(pathToFileURL(file).href)
  } catch (error) {
    console.error(file, error)
    process.exitCode = 1
  }
}
// A connection that is kept alive would keep the process running.
process.exit()

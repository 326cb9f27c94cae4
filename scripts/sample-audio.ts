/**
 * Creates the audio of the sample clips in a tree. `npm start` runs it in the background, at the
 * lowest priority. Without the packages that this needs, the clips stay silent.
 *
 *     node scripts/sample-audio.ts <tree>
 */
import { constants, setPriority } from 'node:os'
import { makeSampleAudio } from '#site/build/sample-audio.ts'

const say = (line: string) => void process.stderr.write(`${line}\n`)

setPriority(constants.priority.PRIORITY_LOW)
try {
  const sizeBytes = await makeSampleAudio(process.argv[2]!, (clipCount) =>
    say(`Generating the audio of ${clipCount} sample clips, which takes a minute or two …`),
  )
  if (sizeBytes > 0) say(`The sample clips now have sound: ${(sizeBytes / 1e6).toFixed(1)} MB.`)
} catch (error) {
  say(`The sample clips have no sound: ${(error as Error).message.split('\n')[0]}.`)
  process.exitCode = 1
}

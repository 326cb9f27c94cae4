import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { fileSchemas } from '#contract/files.ts'
import { buildNights, fewNights } from '../nightly/few-nights.ts'
import { filesOf } from '../nightly/small-corpus.ts'
import { tempFolder } from '../harness/temp-folder.ts'

const forms: Record<keyof typeof fileSchemas, RegExp> = {
  index: /^index\.json$/,
  'word-index': /^data\/index\/..\/words\./,
  'clip-index': /^data\/index\/..\/clips\./,
  'word-list': /^data\/words\//,
  changes: /^releases\/[^/]+\/changes\.json$/,
  corpus: /^data\/corpus\./,
  clip: /^data\/clips\//,
  transcript: /^data\/transcripts\//,
}

test('every published JSON file matches its schema', async () => {
  const folder = tempFolder()
  await buildNights(folder, fewNights)
  const files = Object.entries(await filesOf(join(folder, 'dist'))).filter(([path]) => path.endsWith('.json'))
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  let checked = 0
  for (const [name, schema] of Object.entries(fileSchemas)) {
    const validate = ajv.compile(z.toJSONSchema(schema))
    const form = forms[name as keyof typeof fileSchemas]
    const found = files.filter(([path]) => form.test(path))
    expect(found.length, name).toBeGreaterThan(0)
    for (const [path, text] of found) {
      validate(JSON.parse(text))
      expect(validate.errors, path).toBeNull()
      checked++
    }
  }
  const others = files.filter(([path]) => !/^(current|releases\/.*\/(manifest|report))\.json$/.test(path))
  expect(checked).toBe(others.length)
})

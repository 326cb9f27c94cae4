import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { SourceClip } from '#corpus/source-clip.ts'
import { addTranslations } from '#corpus/import/translations.ts'
import { failure, run } from '../../harness/command.ts'
import { tempFolder } from '../../harness/temp-folder.ts'

const cue = (tStart: number, tEnd: number, text: string) => ({ tStart, tEnd, text })

test('gives each translation to the cue that it overlaps longest, and joins several', () => {
  const cues = [cue(0, 2, 'One.'), cue(2, 4, 'Two.'), cue(6, 8, 'Three.')]
  const translations = [cue(0, 1, 'Uno,'), cue(1, 2.5, 'uno.'), cue(3, 4, 'Dos.'), cue(4.5, 5, 'Nada.')]
  const { cues: translated, counts } = addTranslations(cues, translations, 'es')
  const expected = [{ es: 'Uno, uno.' }, { es: 'Dos.' }, undefined]
  expect(translated.map(({ translations: texts }) => texts)).toEqual(expected)
  expect(counts).toEqual({ cues: 4, leftOut: 1 })
})

test('joins with a space in Japanese, too, and drops a cue that would make the text too long', () => {
  const translations = [cue(0, 1, 'はい。'), cue(1, 2, 'いいえ。'), cue(1.5, 2, 'あ'.repeat(494))]
  const { cues, counts } = addTranslations([cue(0, 2, 'Yes. No.')], translations, 'ja')
  expect(cues[0]!.translations).toEqual({ ja: 'はい。 いいえ。' })
  expect(counts).toEqual({ cues: 3, leftOut: 1 })
})

const srt = (...lines: string[]) =>
  lines.map((text, i) => `${i + 1}\n00:00:0${i * 2},000 --> 00:00:0${i * 2 + 1},900\n${text}\n`).join('\n')

const args = ['--corpus', 'corpus', '--language', 'en', '--level', 'A1', '--channel-id', 'c']
const more = ['--channel-name', 'C', '--title', 'T', '--video-id', 'v', '--json', '--overwrite']

test('files beside a subtitle file translate it and do not become clips', async () => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'talk.en.srt'), srt('Good morning.', 'How are you?'))
  writeFileSync(join(folder, 'talk.es.srt'), srt('Buenos días.', '¿Qué tal?'))
  writeFileSync(join(folder, 'talk.pt-BR.vtt'), `WEBVTT\n\n00:00.000 --> 00:01.900\nBom dia.\n`)
  writeFileSync(join(folder, 'talk.ja.srt'), '')
  writeFileSync(join(folder, 'other.es.srt'), srt('Otra cosa.'))
  const languages = ['--translations', 'es, pt,ja']
  const { code, stdout } = await run(folder, ['import', 'talk.en.srt', ...args, ...more, ...languages])
  expect(code).toBe(0)
  const [report] = (JSON.parse(stdout) as { files: { translations: object }[] }).files
  expect(report!.translations).toEqual({
    es: { cues: 2, leftOut: 0 },
    ja: { cues: 0, leftOut: 0, reason: expect.any(String) },
    pt: { cues: 1, leftOut: 0 },
  })
  const clip = JSON.parse(readFileSync(join(folder, 'corpus/clips/en/v.json'), 'utf8')) as SourceClip
  const expected = [{ es: 'Buenos días.', pt: 'Bom dia.' }, { es: '¿Qué tal?' }]
  expect(clip.cues.map(({ translations }) => translations)).toEqual(expected)

  const single = ['import', 'talk.es.srt', ...args, ...more, ...languages]
  const translation = await run(folder, single)
  expect(JSON.parse(translation.stdout)).toMatchObject({
    files: [{ outcome: 'skipped', reason: 'is a translation of talk.en.srt' }],
  })
  const repeated = await run(folder, ['import', 'talk.en.srt', ...args, ...more, '--translations', 'en,es'])
  expect(JSON.parse(repeated.stdout)).toMatchObject({
    files: [{ outcome: 'imported', translations: { es: { cues: 2, leftOut: 0 } } }],
  })
  const alone = await run(folder, ['import', 'other.es.srt', ...args, ...more, ...languages])
  expect(JSON.parse(alone.stdout)).toMatchObject({
    files: [{ outcome: 'skipped', reason: expect.stringContaining('Import it with --language es') }],
  })
})

test('does not translate a file into its own language', async () => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'talk.en.srt'), srt('Good morning.'))
  writeFileSync(join(folder, 'talk.en.vtt'), `WEBVTT\n\n00:00.000 --> 00:01.900\nGood morning!\n`)
  writeFileSync(join(folder, 'talk.es.srt'), srt('Buenos días.'))
  const { code } = await run(folder, ['import', 'talk.en.srt', ...args, ...more, '--translations', 'en,es'])
  expect(code).toBe(0)
  const clip = JSON.parse(readFileSync(join(folder, 'corpus/clips/en/v.json'), 'utf8')) as SourceClip
  expect(clip.cues[0]!.translations).toEqual({ es: 'Buenos días.' })
})

test('does not take a metadata file for the file to translate', async () => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'talk.es.srt'), srt('Buenos días.'))
  writeFileSync(join(folder, 'talk.json'), JSON.stringify({ id: 'v', title: 'T' }))
  const { stdout } = await run(folder, ['import', 'talk.es.srt', ...args, ...more, '--translations', 'es'])
  expect(JSON.parse(stdout)).toMatchObject({
    files: [{ outcome: 'skipped', reason: expect.stringContaining('Import it with --language es') }],
  })
})

test('refuses an unknown language', async () => {
  expect(await run(tempFolder(), ['import', 'a.srt', ...args, '--translations', 'es,Spanish'])).toEqual(
    failure(2, 'translations'),
  )
})

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { decodeHTMLAttribute } from 'entities'
import opentype, { type Font } from 'opentype.js'
import sharp from 'sharp'
import type { Corpus } from '#contract/corpus.ts'

const iconFile = fileURLToPath(new URL('../../public/favicon.svg', import.meta.url))

interface CardText {
  path: string
  title: string
  description: string
}

/**
 * Draws the social card of each page, with the corpus's own numbers. Text is drawn as outlines from
 * a font of ours: a machine that builds may have none.
 */
export async function drawCards(client: string, pages: readonly string[], corpus: Corpus): Promise<void> {
  const fonts = { regular: await openFont('400'), bold: await openFont('700') }
  const icon = await readFile(iconFile, 'utf8')
  const logo = icon.replace('<svg ', '<svg width="76" height="76" x="80" y="72" ')
  const texts = new Map(pages.flatMap(readCardText).map((text) => [text.path, text]))
  for (const text of texts.values()) {
    const file = join(client, text.path)
    const card = sharp(Buffer.from(cardSvg(text, corpus, fonts, logo))).png({ palette: true })
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, await card.toBuffer())
  }
}

/** The title and the description of a page, from its head. */
function readCardText(html: string): CardText[] {
  const meta = (name: string) =>
    decodeHTMLAttribute(
      new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(html)?.[1] ?? '',
    )
  const path = /\/(cards\/.*)$/.exec(meta('og:image'))?.[1]
  return path === undefined ? [] : [{ path, title: meta('og:title'), description: meta('description') }]
}

function cardSvg(
  { title, description }: CardText,
  corpus: Corpus,
  fonts: { regular: Font; bold: Font },
  logo: string,
): string {
  const titleLines = wrap(title, fonts.bold, 72, 1040).slice(0, 2)
  const aboutLines = wrap(description, fonts.regular, 32, 1000).slice(0, 3)
  const aboutTop = 270 + titleLines.length * 84
  const spoken = corpus.languages.filter(({ clipCount }) => clipCount > 0)
  const words = spoken.reduce((sum, { wordsWithClips }) => sum + wordsWithClips, 0)
  const figures = { clips: corpus.clipCount, languages: spoken.length, 'words said in them': words }
  let x = 80
  const drawn = Object.entries(figures).map(([label, value]) => {
    const number = outline(fonts.bold, String(value), x, 566, 38, '#5eead4')
    const after = x + widthOf(fonts.bold, String(value), 38) + 12
    const name = outline(fonts.regular, label, after, 566, 30, '#b8d4d1')
    x = after + widthOf(fonts.regular, label, 30) + 48
    return number + name
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630">
    <defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#0b3b38"/><stop offset="1" stop-color="#062322"/></linearGradient></defs>
    <rect width="1200" height="630" fill="url(#g)"/><rect y="618" width="1200" height="12" fill="#14b8a6"/>
    ${logo}${outline(fonts.bold, 'Clip Lookup', 178, 124, 40, '#ffffff')}
    ${titleLines.map((line, i) => outline(fonts.bold, line, 80, 270 + i * 84, 72, '#ffffff')).join('')}
    ${aboutLines.map((line, i) => outline(fonts.regular, line, 80, aboutTop + i * 44, 32, '#d5e7e5')).join('')}
    ${drawn.join('')}</svg>`
}

function outline(font: Font, text: string, x: number, y: number, size: number, colour: string): string {
  let left = x
  let drawn = ''
  for (const character of text) {
    // Glyph by glyph: of the font's substitutions the library knows some only, and throws at the
    // others.
    drawn += font.charToGlyph(character).getPath(left, y, size).toPathData(1)
    left += widthOf(font, character, size)
  }
  return `<path fill="${colour}" d="${drawn}"/>`
}

/** How wide a text is, glyph by glyph. */
function widthOf(font: Font, text: string, size: number): number {
  const units = [...text].reduce((sum, character) => sum + (font.charToGlyph(character).advanceWidth ?? 0), 0)
  return (units * size) / font.unitsPerEm
}

function wrap(text: string, font: Font, size: number, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const longer = lines.length > 0 ? `${lines.at(-1)} ${word}` : word
    if (lines.length > 0 && widthOf(font, longer, size) <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

async function openFont(weight: string): Promise<Font> {
  const path = createRequire(import.meta.url).resolve(
    `@fontsource/inter/files/inter-latin-${weight}-normal.woff`,
  )
  return opentype.parse(new Uint8Array(await readFile(path)).buffer)
}

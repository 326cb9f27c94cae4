import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { decodeHTMLAttribute } from 'entities'
import { escapeUTF8 } from 'entities/escape'
import sharp from 'sharp'
import type { Corpus } from '#contract/corpus.ts'

const { resolve } = createRequire(import.meta.url)

/**
 * Draws the social card of each page, with figures of the corpus. The font is a dependency, because
 * the machine may have no fonts.
 */
export async function drawCards(client: string, pages: readonly string[], corpus: Corpus): Promise<void> {
  // Once a font has been loaded, Pango finds it for all later text.
  for (const [style, file] of [
    ['', '400Regular/Inter_400Regular.ttf'],
    ['Bold', '700Bold/Inter_700Bold.ttf'],
  ])
    await drawText(`<span font="Inter ${style}">x</span>`, resolve(`@expo-google-fonts/inter/${file}`))
  const ground = await drawGround(corpus)
  for (const html of pages) {
    const meta = (name: string) => {
      const content = new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(html)?.[1]
      return decodeHTMLAttribute(content ?? '')
    }
    const path = /\/(cards\/.*)$/.exec(meta('og:image'))?.[1]
    if (path === undefined) continue
    const file = join(client, path)
    const input = await drawText(cardText(meta('og:title'), meta('description')))
    const card = sharp(ground).composite([{ input, left: 81, top: 215 }])
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, await card.png({ palette: true }).toBuffer())
  }
}

/** Draws the background of all cards, with the logo and the figures. */
async function drawGround({ clipCount, languages }: Corpus): Promise<Buffer> {
  const languagesWithClips = languages.filter((language) => language.clipCount > 0)
  const words = languagesWithClips.reduce((sum, { wordsWithClips }) => sum + wordsWithClips, 0)
  const figures = { clips: clipCount, languages: languagesWithClips.length, 'words said in them': words }
  const figureSpans = Object.entries(figures).map(
    ([label, value], i) =>
      `<tspan dx="${i && 48}" font-size="38" font-weight="700" fill="#5eead4">${value}</tspan><tspan dx="12">${label}</tspan>`,
  )
  const read = (file: string) => readFile(new URL(file, import.meta.url), 'utf8')
  const icon = await read('../../../public/favicon.svg')
  const svg = (await read('card.svg')).replace('{icon}', icon).replace('{figures}', figureSpans.join(''))
  return await sharp(Buffer.from(svg)).png().toBuffer()
}

/** Returns a page's title and up to three lines of its description, in Pango markup. */
function cardText(title: string, description: string): string {
  const about = /^.{0,190}(?!\S)/.exec(description)![0]
  const span = (font: string, linePx: number, colour: string, text: string) =>
    `<span font="Inter ${font}" line_height="${linePx * 1024}" foreground="${colour}">${escapeUTF8(text)}</span>`
  return `${span('Bold 72', 84, '#ffffff', title)}\n${span('8', 32, '#ffffff', ' ')}\n${span('32', 44, '#d5e7e5', about)}`
}

/** Draws text in Pango markup, wrapped to the width of a card. */
async function drawText(markup: string, fontfile?: string): Promise<Buffer> {
  const text = { text: markup, width: 1030, dpi: 72, rgba: true, ...(fontfile && { fontfile }) }
  return await sharp({ text }).png().toBuffer()
}

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { seededRandom } from '#kit/seeded-random.ts'
import { textHash } from '#kit/text-hash.ts'
import { posterFormats, posterPath, posterWidths } from '../poster-paths.ts'

const width = 960
const height = 540

/**
 * The colours of the sky at the top, the sky at the horizon, the sun, and the layers, the farthest
 * first.
 */
const palettes = [
  ['#1b2a49', '#f2a65a', '#ffe3b3', '#5c4b73', '#3c3a5e', '#232444'],
  ['#7cc6d6', '#f7f1d5', '#fff8d6', '#8fbf9f', '#4f9077', '#24614f'],
  ['#0d1b2a', '#335c81', '#f4f1de', '#274060', '#1b2f4b', '#0f1d33'],
  ['#f6c5b2', '#fdf0e6', '#e4572e', '#d9a48f', '#a8705f', '#6b4740'],
  ['#255957', '#d7e8ba', '#fffbe0', '#6ba292', '#3b7a6b', '#1d4b45'],
  ['#43294e', '#e07a9b', '#ffd9e4', '#8a4a76', '#5b3260', '#331d42'],
] as const

/**
 * Draws the pictures of sample clips, which have no video: one landscape for each channel, in every
 * format and width of `posterPath`.
 */
export async function drawPosters(folder: string, channelIds: ReadonlySet<string>): Promise<void> {
  for (const channelId of channelIds) {
    const picture = sharp(Buffer.from(posterSvg(channelId)))
    for (const format of posterFormats) {
      for (const posterWidth of posterWidths) {
        const file = join(folder, posterPath(channelId, posterWidth, format))
        await mkdir(join(file, '..'), { recursive: true })
        const options = format === 'avif' ? { quality: 55, effort: 2 } : { quality: 75 }
        await picture.clone().resize(posterWidth).toFormat(format, options).toFile(file)
      }
    }
  }
}

/** Returns the landscape of a channel: hills, roofs or waves before a sky with a sun or moon. */
function posterSvg(channelId: string): string {
  const random = seededRandom(textHash(channelId))
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!
  const [top, horizon, sun, ...layers] = pick(palettes)
  const drawLayer = pick([drawHills, drawRoofs, drawWaves])
  const [sunX, sunY, radius] = [
    width * (0.2 + 0.6 * random()),
    height * (0.2 + 0.25 * random()),
    40 + 45 * random(),
  ]
  const shapes = layers.map((colour, i) => {
    const base = height * (0.52 + 0.16 * i)
    return `<g fill="${colour}">${drawLayer(base, random)}</g>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<linearGradient id="sky" x2="0" y2="1"><stop stop-color="${top}"/><stop offset="0.75" stop-color="${horizon}"/></linearGradient>
<rect width="${width}" height="${height}" fill="url(#sky)"/>
<circle cx="${sunX}" cy="${sunY}" r="${radius * 1.9}" fill="${sun}" opacity="0.18"/>
<circle cx="${sunX}" cy="${sunY}" r="${radius}" fill="${sun}"/>
${shapes.join('\n')}
</svg>`
}

type DrawLayer = (base: number, random: () => number) => string

const drawHills: DrawLayer = (base, random) => {
  const step = width / 4
  let path = `M0 ${base}`
  for (let x = 0; x < width; x += step)
    path += ` q${step / 2} ${-60 - 110 * random()} ${step} ${(random() - 0.5) * 30}`
  return `<path d="${path} V${height} H0 Z"/>`
}

const drawWaves: DrawLayer = (base, random) => {
  const step = 60 + 60 * random()
  const rise = 10 + 14 * random()
  let path = `M${-step * random()} ${base}`
  for (let x = -step; x < width + step; x += 2 * step) path += ` q${step / 2} ${-rise} ${step} 0 t${step} 0`
  return `<path d="${path} V${height} H0 Z"/>`
}

const drawRoofs: DrawLayer = (base, random) => {
  let shapes = ''
  for (let x = -40; x < width;) {
    const [houseWidth, rise] = [70 + 90 * random(), 30 + 120 * random()]
    const [top, ridge] = [base - rise, 18 + 34 * random()]
    shapes += `<path d="M${x} ${top} l${houseWidth / 2} ${-ridge} l${houseWidth / 2} ${ridge} V${height} H${x} Z"/>`
    for (let row = top + 22; row < top + rise; row += 34)
      for (let column = x + 16; column < x + houseWidth - 18; column += 28)
        if (random() < 0.35)
          shapes += `<rect x="${column}" y="${row}" width="11" height="15" fill="#ffe9a8" opacity="0.8"/>`
    x += houseWidth + 4
  }
  return shapes
}

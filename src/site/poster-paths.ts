/** The formats of the pictures of sample clips, the smallest first. */
export const posterFormats = ['avif', 'webp'] as const
/** Their widths in pixels. */
export const posterWidths = [480, 960] as const

/**
 * Returns the path of the picture of a channel's sample clips, from the root of the site.
 *
 *     posterPath('slow-train', 480, 'avif') // 'posters/slow-train-480.avif'
 */
export function posterPath(channelId: string, width: number, format: (typeof posterFormats)[number]): string {
  return `posters/${encodeURIComponent(channelId)}-${width}.${format}`
}

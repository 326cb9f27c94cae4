import { docsLoader, i18nLoader } from '@astrojs/starlight/loaders'
import { docsSchema, i18nSchema } from '@astrojs/starlight/schema'
import { defineCollection } from 'astro:content'
import { z } from 'astro/zod'

export const collections = {
  docs: defineCollection({
    loader: docsLoader(),
    schema: docsSchema({ extend: z.object({ keywords: z.string().optional() }) }),
  }),
  // Without it, Astro prints a warning for every page that the proxy renders.
  i18n: defineCollection({ loader: i18nLoader(), schema: i18nSchema() }),
}

/**
 * Settings of code blocks that are functions; `astro.config.mjs` has the others. An option such as
 * `--help` is not divided when a line wraps.
 */
import { defineEcConfig } from '@astrojs/starlight/expressive-code'

const option = /((?<![^\s'"=])--?[a-z][a-z-]*)/gi

/** Puts each option in the texts of an element into an element of its own. */
function wrapOptions(element) {
  element.children = element.children.flatMap((child) => {
    if (child.type === 'element') wrapOptions(child)
    if (child.type !== 'text') return [child]
    return child.value.split(option).map((value, index) => {
      const text = { type: 'text', value }
      if (index % 2 === 0) return text
      return { type: 'element', tagName: 'span', properties: { className: ['option'] }, children: [text] }
    })
  })
}

const wholeOptions = {
  name: 'whole-options',
  hooks: { postprocessRenderedLine: ({ renderData }) => wrapOptions(renderData.lineAst) },
}

export default defineEcConfig({ plugins: [wholeOptions] })

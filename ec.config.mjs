/**
 * Settings of code blocks that are functions; `astro.config.mjs` has the others. An option such as
 * `--help` is not divided when a line wraps, and words in East Asian scripts have their language.
 */
import { defineEcConfig } from '@astrojs/starlight/expressive-code'
import { eastAsianWord, languageOfWord } from './src/site/components/east-asian-words.ts'

const option = /((?<![^\s'"=])--?[a-z][a-z-]*)/gi

/** Puts each match of a pattern in the texts of an element into an element with properties. */
function wrap(element, pattern, propertiesOf) {
  element.children = element.children.flatMap((child) => {
    if (child.type === 'element') wrap(child, pattern, propertiesOf)
    if (child.type !== 'text') return [child]
    return child.value.split(pattern).map((value, index) => {
      const text = { type: 'text', value }
      if (index % 2 === 0) return text
      return { type: 'element', tagName: 'span', properties: propertiesOf(value), children: [text] }
    })
  })
}

const textMarks = {
  name: 'text-marks',
  hooks: {
    postprocessRenderedLine: ({ codeBlock, renderData: { lineAst } }) => {
      wrap(lineAst, option, () => ({ className: ['option'] }))
      wrap(lineAst, eastAsianWord, (word) => ({ lang: languageOfWord(word, codeBlock.code) }))
    },
  },
}

export default defineEcConfig({ plugins: [textMarks] })

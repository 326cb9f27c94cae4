import type { ConsoleOperation, ConsoleParameter } from './console-data.ts'
import { element } from '../cards/dom.ts'

/** The fields of an operation: enumerations as choices, several as boxes. Each field bears the name of its parameter. */
export function parameterFields({ parameters }: ConsoleOperation): HTMLElement[] {
  if (parameters.length === 0) return [element('p', { class: 'none' }, 'This operation takes no parameters.')]
  return parameters.map((parameter) =>
    parameter.field.kind === 'choices' ? boxes(parameter, parameter.field.choices) : line(parameter),
  )
}

function line(parameter: ConsoleParameter): HTMLElement {
  const { name, place, description } = parameter
  const id = `field-${name}`
  return element(
    'div',
    { class: 'field' },
    element('label', { for: id }, name, ...(place === 'path' ? [element('em', {}, ' in the path')] : [])),
    input(parameter, id),
    element('small', { id: `${id}-help` }, plain(description)),
  )
}

function input({ name, field, place, example }: ConsoleParameter, id: string): HTMLElement {
  const common = { id, name, 'aria-describedby': `${id}-help` }
  if (field.kind === 'choice') {
    const options = field.choices.map((choice) => element('option', { value: choice }, choice))
    return element('select', common, element('option', { value: '' }, 'not given'), ...options)
  }
  if (field.kind === 'number') {
    const range = { min: String(field.min), max: String(field.max) }
    return element('input', {
      ...common,
      ...range,
      type: 'number',
      inputmode: 'numeric',
      placeholder: example || '20',
    })
  }
  const length: Record<string, string> =
    field.kind === 'text' && field.maxLength !== undefined ? { maxlength: String(field.maxLength) } : {}
  return element('input', {
    ...common,
    ...length,
    type: 'text',
    spellcheck: 'false',
    autocomplete: 'off',
    required: place === 'path',
    placeholder: example.length > 24 ? '' : example,
  })
}

function boxes({ name, description }: ConsoleParameter, choices: readonly string[]): HTMLElement {
  const each = choices.map((choice) =>
    element('label', {}, element('input', { type: 'checkbox', name, value: choice }), choice),
  )
  return element(
    'fieldset',
    { class: 'field boxes' },
    element('legend', {}, name),
    element('div', {}, ...each),
    element('small', {}, plain(description)),
  )
}

function plain(markdown: string): string {
  return markdown.replaceAll('`', '')
}

/** What is filled in, by parameter; boxes comma separated. */
export function readFields(form: HTMLFormElement): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [name, value] of new FormData(form)) {
    const text = typeof value === 'string' ? value.trim() : ''
    if (text !== '') values[name] = name in values ? `${values[name]},${text}` : text
  }
  return values
}

/** Fills the fields in, and empties the others. */
export function fillFields(form: HTMLFormElement, values: Record<string, string>): void {
  for (const field of form.elements) {
    // The key and the choice of an operation have no name: they are no parameters.
    if (!('name' in field) || field.name === '') continue
    if (field instanceof HTMLInputElement && field.type === 'checkbox') {
      field.checked = (values[field.name] ?? '').split(',').includes(field.value)
    } else if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) {
      field.value = values[field.name] ?? ''
    }
  }
}

import type { ConsoleOperation, ConsoleParameter } from './console-data.ts'
import { element } from '../cards/dom.ts'

/**
 * The fields of an operation, each named after its parameter. Lists of fixed values are check
 * boxes.
 */
export function parameterFields({ parameters }: ConsoleOperation): HTMLElement[] {
  if (parameters.length === 0) return [element('p', { class: 'none' }, 'This operation takes no parameters.')]
  return parameters.map((parameter) =>
    parameter.field.kind === 'choices' ? boxes(parameter, parameter.field.choices) : line(parameter),
  )
}

function line(parameter: ConsoleParameter): HTMLElement {
  const { name, isRequired, description } = parameter
  const id = `field-${name}`
  return element(
    'div',
    { class: 'field' },
    element('label', { for: id }, name, ...(isRequired ? [element('em', {}, ' required')] : [])),
    input(parameter, id),
    element('small', { id: `${id}-help` }, plain(description)),
  )
}

function input({ name, field, isRequired, example }: ConsoleParameter, id: string): HTMLElement {
  const common = { id, name, 'aria-describedby': `${id}-help` }
  if (field.kind === 'choice') {
    const options = field.choices.map((choice) => element('option', { value: choice }, choice))
    return element('select', common, element('option', { value: '' }, 'not set'), ...options)
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
    required: isRequired,
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

/** The values of the form, by parameter. Those of check boxes are joined by commas. */
export function readFields(form: HTMLFormElement): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [name, value] of new FormData(form)) {
    const text = typeof value === 'string' ? value.trim() : ''
    if (text !== '') values[name] = name in values ? `${values[name]},${text}` : text
  }
  return values
}

/** Fills in the given values and empties all other fields. */
export function fillFields(form: HTMLFormElement, values: Record<string, string>): void {
  for (const field of form.elements) {
    // The key and the operation have no name: they are no parameters.
    if (!('name' in field) || field.name === '') continue
    if (field instanceof HTMLInputElement && field.type === 'checkbox') {
      field.checked = (values[field.name] ?? '').split(',').includes(field.value)
    } else if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) {
      field.value = values[field.name] ?? ''
    }
  }
}

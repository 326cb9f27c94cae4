/** The part of Pagefind's API that the search uses (https://pagefind.app/docs/api/). */
interface Pagefind {
  options(options: { ranking: object }): Promise<void>
  debouncedSearch(text: string, options: { filters: object }, delayMs: number): Promise<SearchAnswer | null>
}
interface SearchAnswer {
  results: { data(): Promise<Result> }[]
  /** The number of results for each audience. */
  totalFilters: { audience?: Record<string, number> }
}
interface Section {
  url: string
  title: string
  /** HTML, in which the matches are marked. */
  excerpt: string
}
interface Result extends Omit<Section, 'title'> {
  meta: { title: string }
  sub_results: Section[]
}

const shownResults = 10
const shownSections = 3

const dialog = document.querySelector<HTMLDialogElement>('#site-search')!
const form = dialog.querySelector('form')!
const input = dialog.querySelector<HTMLInputElement>('[type=search]')!
const list = dialog.querySelector('ol')!
const statusLine = dialog.querySelector('[role=status]')!

let pagefind: Promise<Pagefind> | undefined

/** Loads the index. Keywords count more than text but less than titles. */
async function loadPagefind(): Promise<Pagefind> {
  const address = '/pagefind/pagefind.js'
  const api = (await import(/* @vite-ignore */ address)) as Pagefind
  await api.options({ ranking: { metaWeights: { title: 5, keywords: 4 } } })
  return api
}

function open(): void {
  dialog.showModal()
  input.select()
  pagefind ??= loadPagefind()
}

async function search(): Promise<void> {
  const text = input.value.trim()
  if (text === '') return showResults([])
  const audience = new FormData(form).get('audience')
  const api = await (pagefind ??= loadPagefind())
  const answer = await api.debouncedSearch(text, { filters: { audience } }, 150)
  // A later search replaces this one.
  if (!answer) return
  const results = await Promise.all(answer.results.slice(0, shownResults).map((each) => each.data()))
  if (text !== input.value.trim()) return
  for (const count of dialog.querySelectorAll<HTMLElement>('[data-count]'))
    count.textContent = `(${answer.totalFilters.audience?.[count.dataset.count!] ?? 0})`
  statusLine.textContent = results.length > 0 ? '' : `No page contains “${text}”.`
  showResults(results)
}

function showResults(results: readonly Result[]): void {
  list.replaceChildren(
    ...results.map(({ url, meta, excerpt, sub_results }) => {
      const item = document.createElement('li')
      // The first section has the address of the page if the match is above all headings.
      const sections = sub_results.filter((section) => section.url !== url).slice(0, shownSections)
      item.append(link({ url, title: meta.title, excerpt: sections.length > 0 ? '' : excerpt }))
      item.append(...sections.map(link))
      return item
    }),
  )
}

function link({ url, title, excerpt }: Section): HTMLAnchorElement {
  const element = document.createElement('a')
  element.href = url
  const name = document.createElement('strong')
  name.textContent = title
  const text = document.createElement('span')
  // Pagefind escapes the text of the page.
  text.innerHTML = excerpt
  element.append(name, text)
  return element
}

document.querySelector('.open-search')!.addEventListener('click', open)
document.addEventListener('keydown', (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key !== 'k') return
  event.preventDefault()
  if (dialog.open) dialog.close()
  else open()
})
form.addEventListener('input', () => void search())
// Enter opens the first result instead of closing the dialog.
input.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter') return
  event.preventDefault()
  list.querySelector('a')?.click()
})
dialog.addEventListener('click', (event) => {
  const target = event.target as HTMLElement
  // A click on the backdrop has the dialog itself as its target.
  if (target === dialog || target.closest('a')) dialog.close()
})
/** The arrow keys move from the field to the results, from one result to the next, and back. */
dialog.addEventListener('keydown', (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const stops = [input, ...list.querySelectorAll('a')]
  const position = stops.indexOf(event.target as HTMLInputElement)
  const next = step === undefined || position < 0 ? undefined : stops[position + step]
  if (!next) return
  next.focus()
  event.preventDefault()
})

import { defineRouteMiddleware, type StarlightRouteData } from '@astrojs/starlight/route-data'
import { audienceOf } from './audience.ts'

type SidebarEntry = StarlightRouteData['sidebar'][number]

/**
 * Limits the sidebar of a page, and its links to the previous and next page, to its audience. No
 * such link leads into or out of the reference, which is not read in order. Pages without a sidebar
 * have one in the menu of a narrow screen. A page without headings has no table of contents: it
 * would contain only a link to the top.
 */
export const onRequest = defineRouteMiddleware(({ url, locals }) => {
  const { starlightRoute: route } = locals as unknown as { starlightRoute: StarlightRouteData }
  const isOfPage = (entry: SidebarEntry) => audienceOf(firstPath(entry)) === audienceOf(url.pathname)
  route.sidebar = route.sidebar.filter(isOfPage)
  route.hasSidebar = true
  if (route.toc?.items.length === 1 && route.toc.items[0]!.children.length === 0) route.toc = undefined
  const { prev, next } = route.pagination
  const isLinked = (entry: SidebarEntry) =>
    isOfPage(entry) && ![firstPath(entry), url.pathname].some((path) => path.startsWith('/reference/'))
  if (prev && !isLinked(prev)) route.pagination.prev = undefined
  if (next && !isLinked(next)) route.pagination.next = undefined
})

/** Returns the path of a link, or of the first link in a group. */
function firstPath(entry: SidebarEntry): string {
  return entry.type === 'link' ? entry.href : firstPath(entry.entries[0]!)
}

import { defineRouteMiddleware, type StarlightRouteData } from '@astrojs/starlight/route-data'
import { audienceOf } from './audience.ts'

type SidebarEntry = StarlightRouteData['sidebar'][number]

/**
 * Limits the sidebar of a page, and its links to the previous and next page, to its audience. Pages
 * without a sidebar have one in the menu of a narrow screen.
 */
export const onRequest = defineRouteMiddleware(({ url, locals }) => {
  const { starlightRoute: route } = locals as unknown as { starlightRoute: StarlightRouteData }
  const isOfPage = (entry: SidebarEntry) => audienceOf(firstPath(entry)) === audienceOf(url.pathname)
  route.sidebar = route.sidebar.filter(isOfPage)
  route.hasSidebar = true
  const { prev, next } = route.pagination
  if (prev && !isOfPage(prev)) route.pagination.prev = undefined
  if (next && !isOfPage(next)) route.pagination.next = undefined
})

/** Returns the path of a link, or of the first link in a group. */
function firstPath(entry: SidebarEntry): string {
  return entry.type === 'link' ? entry.href : firstPath(entry.entries[0]!)
}

/** Where the navigation leads. On phones there is room for a few: the others are on a page of their own. */
import { BookmarkCheck, ChartColumn, Film, History, House, Layers, MonitorPlay, Search, Wrench } from 'lucide'
import type { Key } from '../words/words.ts'
import type { IconProps } from './icon.tsx'

export interface Place {
  readonly path: string
  readonly name: Key
  readonly icon: IconProps['of']
  /** Not in the bar of phones. */
  readonly isMore?: boolean
  readonly by?: 'admins'
  /** All its pages, if there are others than those below its path. */
  readonly pages?: readonly string[]
}

export const PLACES: readonly Place[] = [
  { path: '/', name: 'page.home', icon: House },
  { path: '/films', name: 'page.movies', icon: Film },
  { path: '/search', name: 'page.search', icon: Search },
  { path: '/watchlist', name: 'page.watchlist', icon: BookmarkCheck },
  { path: '/collections', name: 'page.collections', icon: Layers, isMore: true },
  { path: '/now', name: 'page.now', icon: MonitorPlay, isMore: true },
  { path: '/history', name: 'page.history', icon: History, isMore: true },
  { path: '/stats', name: 'page.stats', icon: ChartColumn, isMore: true },
  {
    path: '/admin/libraries',
    name: 'page.admin',
    icon: Wrench,
    isMore: true,
    by: 'admins',
    pages: ['/admin'],
  },
]

export const isHere = (path: string, location: string): boolean =>
  path === '/' ? location === '/' : location === path || location.startsWith(`${path}/`)

/** Whether a page of the place is shown. */
export const isPlaceHere = ({ path, pages = [path] }: Place, location: string): boolean => pages.some((page) => isHere(page, location))

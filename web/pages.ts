/**
 * The pages: their paths, titles and code, and what the server tells browsers to load with the page. The build copies paths and
 * preloads into the manifest, so that the server knows them too.
 */
import type { ComponentType } from 'preact'
import type { Key } from './words/words.ts'

export interface PageProps {
  /** Named parts of the path. */
  readonly params: Readonly<Record<string, string>>
}

interface PageModule {
  readonly Page: ComponentType<PageProps>
}

export interface PageEntry {
  /** As wouter and Fastify read it: `/films/:id`. */
  readonly path: string
  readonly title: Key
  /** The source file, from `web/`: the build looks its chunk up by this name. */
  readonly file: string
  readonly load: () => Promise<PageModule>
  /** Who may open it; default: users who are signed in. */
  readonly by?: 'anyone' | 'admins'
  /** The first answer that the page needs, as a path of the API. Parameters stand in it by name. */
  readonly preload?: string
  /** Covers the whole window: no header, no rail. */
  readonly bare?: boolean
}

export const HOME_ANSWER = '/v1/home?limit=12'

export const PAGES: readonly PageEntry[] = [
  { path: '/', title: 'page.home', file: 'pages/home.tsx', load: () => import('./pages/home.tsx'), preload: HOME_ANSWER },
  { path: '/films', title: 'page.movies', file: 'pages/movies.tsx', load: () => import('./pages/movies.tsx') },
  { path: '/films/:id', title: 'page.movie', file: 'pages/movie.tsx', load: () => import('./pages/movie.tsx'), preload: '/v1/movies/:id' },
  { path: '/watch/:id', title: 'page.watch', file: 'pages/watch.tsx', load: () => import('./pages/watch.tsx'), bare: true },
  { path: '/search', title: 'page.search', file: 'pages/search.tsx', load: () => import('./pages/search.tsx') },
  { path: '/watchlist', title: 'page.watchlist', file: 'pages/watchlist.tsx', load: () => import('./pages/watchlist.tsx') },
  { path: '/collections', title: 'page.collections', file: 'pages/collections.tsx', load: () => import('./pages/collections.tsx') },
  { path: '/collections/:id', title: 'page.collection', file: 'pages/collection.tsx', load: () => import('./pages/collection.tsx') },
  { path: '/people/:id', title: 'page.person', file: 'pages/person.tsx', load: () => import('./pages/person.tsx') },
  { path: '/now', title: 'page.now', file: 'pages/now.tsx', load: () => import('./pages/now.tsx') },
  { path: '/history', title: 'page.history', file: 'pages/history.tsx', load: () => import('./pages/history.tsx') },
  { path: '/history/:id', title: 'page.viewing', file: 'pages/viewing.tsx', load: () => import('./pages/viewing.tsx') },
  { path: '/stats', title: 'page.stats', file: 'pages/stats.tsx', load: () => import('./pages/stats.tsx') },
  { path: '/stats/:year', title: 'page.year', file: 'pages/year.tsx', load: () => import('./pages/year.tsx') },
  {
    path: '/admin/history',
    title: 'page.admin-history',
    file: 'pages/admin/history.tsx',
    load: () => import('./pages/admin/history.tsx'),
    by: 'admins',
  },
  {
    path: '/admin/stats',
    title: 'page.admin-stats',
    file: 'pages/admin/stats.tsx',
    load: () => import('./pages/admin/stats.tsx'),
    by: 'admins',
  },
  {
    path: '/admin/audit',
    title: 'page.admin-audit',
    file: 'pages/admin/audit.tsx',
    load: () => import('./pages/admin/audit.tsx'),
    by: 'admins',
  },
  {
    path: '/admin/audit/:seq',
    title: 'page.admin-audit-entry',
    file: 'pages/admin/audit-entry.tsx',
    load: () => import('./pages/admin/audit-entry.tsx'),
    by: 'admins',
  },
  { path: '/more', title: 'app.more', file: 'pages/more.tsx', load: () => import('./pages/more.tsx') },
  { path: '/settings', title: 'page.settings', file: 'pages/settings.tsx', load: () => import('./pages/settings.tsx') },
  { path: '/settings/:section', title: 'page.settings', file: 'pages/settings.tsx', load: () => import('./pages/settings.tsx') },
  {
    path: '/admin/libraries',
    title: 'page.libraries',
    file: 'pages/admin/libraries.tsx',
    load: () => import('./pages/admin/libraries.tsx'),
    by: 'admins',
  },
  {
    path: '/admin/libraries/:id',
    title: 'page.library',
    file: 'pages/admin/library.tsx',
    load: () => import('./pages/admin/library.tsx'),
    by: 'admins',
  },
  { path: '/admin/users', title: 'page.users', file: 'pages/admin/users.tsx', load: () => import('./pages/admin/users.tsx'), by: 'admins' },
  {
    path: '/admin/users/:id',
    title: 'page.user',
    file: 'pages/admin/user.tsx',
    load: () => import('./pages/admin/user.tsx'),
    by: 'admins',
  },
  {
    path: '/admin/server',
    title: 'page.server',
    file: 'pages/admin/server.tsx',
    load: () => import('./pages/admin/server.tsx'),
    by: 'admins',
  },
  {
    path: '/admin/webhooks',
    title: 'page.webhooks',
    file: 'pages/admin/webhooks.tsx',
    load: () => import('./pages/admin/webhooks.tsx'),
    by: 'admins',
  },
  {
    path: '/sign-in',
    title: 'page.sign-in',
    file: 'pages/sign-in.tsx',
    load: () => import('./pages/sign-in.tsx'),
    by: 'anyone',
    bare: true,
  },
  {
    path: '/sign-up',
    title: 'page.sign-up',
    file: 'pages/sign-up.tsx',
    load: () => import('./pages/sign-up.tsx'),
    by: 'anyone',
    bare: true,
  },
]

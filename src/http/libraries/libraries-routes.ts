/** Serves libraries: listing, reading, creating. */
import type { NewLibrary } from '../../app/libraries/libraries.ts'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { App, RouteContext } from '../server/app.ts'
import { unwrap } from '../server/errors.ts'
import { callerOf, requestOrigin } from '../server/guard.ts'
import { BODY_ERRORS, idParams, LOCATION, operation } from '../server/operation.ts'
import { PAGE_QUERY } from '../server/paging.ts'
import { presentLibrary } from './library-presenter.ts'
import { Library, LibraryPage, NewLibraryBody } from './library-schemas.ts'
import { refTo } from '../server/values-schemas.ts'

const tag = 'libraries'

const LIST_LIBRARIES = {
  ...operation({
    id: 'listLibraries',
    tag,
    summary: 'List libraries',
    answers: { 200: { description: 'A page of libraries.', schema: refTo(LibraryPage) } },
    errors: [422],
  }),
  querystring: Type.Object(PAGE_QUERY),
}

const CREATE_LIBRARY = {
  ...operation({
    id: 'createLibrary',
    tag,
    summary: 'Create a library',
    description: 'Does not start a scan. A folder that is currently unavailable is accepted.',
    by: 'admins',
    answers: { 201: { description: 'The library.', schema: refTo(Library), headers: LOCATION } },
    errors: BODY_ERRORS,
  }),
  body: NewLibraryBody,
}

const GET_LIBRARY = {
  ...operation({
    id: 'getLibrary',
    tag,
    summary: 'Get a library',
    answers: { 200: { description: 'The library.', schema: refTo(Library) } },
    errors: [404],
  }),
  params: idParams('id'),
}

export function addLibraryRoutes(app: App, { services, paging }: RouteContext<'libraries'>): void {
  const { libraries } = services

  app.route({
    method: 'GET',
    url: '/v1/libraries',
    config: { shows: 'catalogue' },
    schema: LIST_LIBRARIES,
    handler: async (request) => {
      const caller = callerOf(request)
      const scope = { userId: caller.userId, route: 'libraries', query: null }
      const page = await libraries.list(caller, paging.read(request.query, scope))
      return paging.page(page, scope, (library) => presentLibrary(library, caller))
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/libraries',
    config: { idempotent: 'own' },
    schema: CREATE_LIBRARY,
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const library = unwrap(await libraries.create(caller, toNewLibrary(request.body), requestOrigin(request)))
      reply.code(201).header('location', `/v1/libraries/${library.id}`)
      return presentLibrary(library, caller)
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/libraries/:id',
    schema: GET_LIBRARY,
    handler: async (request) => {
      const caller = callerOf(request)
      return presentLibrary(unwrap(await libraries.get(caller, request.params.id)), caller)
    },
  })
}

/** Copies only known members of the body. */
function toNewLibrary({ name, path, paths, language, settings }: Static<typeof NewLibraryBody>): NewLibrary {
  const folders = paths ?? (path === undefined ? [] : [path])
  return { name, paths: folders, ...omitUndefined({ language, settings: settings && toSettings(settings) }) }
}

function toSettings(settings: NonNullable<Static<typeof NewLibraryBody>['settings']>): NonNullable<NewLibrary['settings']> {
  const { watchFiles, scanIntervalMinutes, trickplay, publicImages } = settings
  return omitUndefined({ watchFiles, scanIntervalMinutes, trickplay, publicImages })
}

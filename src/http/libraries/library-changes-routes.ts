/** Serves changes of a library: its name, folders and settings, its removal and restoration. */
import { Type, type Static } from 'typebox'
import { omitUndefined } from '../../vocabulary/omit-undefined.ts'
import type { LibraryChange } from '../../domain/libraries/library.ts'
import type { App, RouteContext } from '../server/app.ts'
import { unwrap } from '../server/errors.ts'
import { callerOf, requestOrigin } from '../server/guard.ts'
import { BODY_ERRORS, idParams, operation } from '../server/operation.ts'
import { presentLibrary } from './library-presenter.ts'
import { Library, LibraryChangeBody } from './library-schemas.ts'
import { Id, named, refTo, Time } from '../server/values-schemas.ts'

const tag = 'libraries'

const CHANGE_LIBRARY = {
  ...operation({
    id: 'changeLibrary',
    tag,
    summary: 'Change a library',
    description:
      'Members that are not sent stay. Movies below a removed folder become missing, and return as they were with the folder. The next scan reads an added folder.',
    by: 'admins',
    answers: { 200: { description: 'The library.', schema: refTo(Library) } },
    errors: [404, ...BODY_ERRORS],
  }),
  params: idParams('id'),
  body: LibraryChangeBody,
}

const DELETE_LIBRARY = {
  ...operation({
    id: 'deleteLibrary',
    tag,
    summary: 'Remove a library',
    description: 'Files on disk and the history are kept. An administrator can restore the library.',
    by: 'admins',
    answers: { 204: { description: 'The library is removed.' } },
    errors: [404],
  }),
  params: idParams('id'),
}

export const RemovedLibraries = named(
  'RemovedLibraries',
  Type.Object({ items: Type.Array(Type.Object({ id: Id, name: Type.String(), paths: Type.Array(Type.String()), removedAt: Time })) }),
)

const LIST_REMOVED = operation({
  id: 'listRemovedLibraries',
  tag,
  summary: 'List removed libraries',
  description: 'Those that can be restored: at most 100, the last removed first.',
  by: 'admins',
  answers: { 200: { description: 'The libraries.', schema: refTo(RemovedLibraries) } },
})

const RESTORE_LIBRARY = {
  ...operation({
    id: 'restoreLibrary',
    tag,
    summary: 'Restore a removed library',
    description: 'Its movies, marks and resume points come back too.',
    by: 'admins',
    answers: { 200: { description: 'The library.', schema: refTo(Library) } },
    errors: [404, ...BODY_ERRORS],
  }),
  params: idParams('id'),
  body: Type.Object({}),
}

export function addLibraryChangeRoutes(app: App, { services }: RouteContext<'libraries'>): void {
  const { libraries } = services

  app.route({
    method: 'PATCH',
    url: '/v1/libraries/:id',
    schema: CHANGE_LIBRARY,
    handler: async (request) => {
      const caller = callerOf(request)
      const changed = await libraries.change(caller, request.params.id, toChange(request.body), requestOrigin(request))
      return presentLibrary(unwrap(changed), caller)
    },
  })

  app.route({
    method: 'DELETE',
    url: '/v1/libraries/:id',
    schema: DELETE_LIBRARY,
    handler: async (request, reply) => {
      unwrap(await libraries.remove(callerOf(request), request.params.id, requestOrigin(request)))
      return reply.code(204).send()
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/admin/libraries/removed',
    schema: LIST_REMOVED,
    handler: async () => ({
      items: libraries
        .removed()
        .flatMap(({ id, name, roots, removedAt }) =>
          removedAt === null ? [] : [{ id, name, paths: roots.map(({ path }) => path), removedAt }],
        ),
    }),
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/libraries/:id/restore',
    schema: RESTORE_LIBRARY,
    handler: async (request) => {
      const caller = callerOf(request)
      return presentLibrary(unwrap(await libraries.restore(caller, request.params.id, requestOrigin(request))), caller)
    },
  })
}

/** Copies only known members of the body. */
function toChange({ name, path, paths, language, settings }: Static<typeof LibraryChangeBody>): LibraryChange {
  const roots = paths ?? (path === undefined ? undefined : [path])
  return omitUndefined({ name, roots, language, settings: settings && toSettings(settings) })
}

const toSettings = ({
  watchFiles,
  scanIntervalMinutes,
  trickplay,
  publicImages,
}: NonNullable<Static<typeof LibraryChangeBody>['settings']>) => omitUndefined({ watchFiles, scanIntervalMinutes, trickplay, publicImages })

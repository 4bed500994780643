/** Changes of a library: its name, folders and settings, its removal and its return. */
import { Type, type Static } from 'typebox'
import type { LibraryChange } from '../../domain/libraries/library.ts'
import type { App, RouteContext } from '../server/app.ts'
import { unwrap } from '../server/errors.ts'
import { given } from '../server/defined.ts'
import { callerOf, requestOrigin } from '../server/guard.ts'
import { BODY_ERRORS, idParams, operation } from '../server/operation.ts'
import { presentLibrary } from './library-presenter.ts'
import { Library, LibraryChangeBody } from './library-schemas.ts'
import { refTo } from '../server/values-schemas.ts'

const tag = 'libraries'

const CHANGE_LIBRARY = {
  ...operation({
    id: 'changeLibrary',
    tag,
    summary: 'Change a library',
    description:
      'What is left out stays. Movies below a folder that is taken away are missing from then on, and as they were when it comes back; one that is added is looked into by the next scan.',
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
    description: 'Files on disk are kept, and so is what happened: an administrator can bring it back.',
    by: 'admins',
    answers: { 204: { description: 'Nobody sees it any more.' } },
    errors: [404],
  }),
  params: idParams('id'),
}

const RESTORE_LIBRARY = {
  ...operation({
    id: 'restoreLibrary',
    tag,
    summary: 'Restore a removed library',
    description: 'With its movies, marks and resume points.',
    by: 'admins',
    answers: { 200: { description: 'The library.', schema: refTo(Library) } },
    errors: [404, ...BODY_ERRORS],
  }),
  params: idParams('id'),
  body: Type.Object({}),
}

export function addLibraryChangeRoutes(app: App, { services }: RouteContext): void {
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
    method: 'POST',
    url: '/v1/admin/libraries/:id/restore',
    schema: RESTORE_LIBRARY,
    handler: async (request) => {
      const caller = callerOf(request)
      return presentLibrary(unwrap(await libraries.restore(caller, request.params.id, requestOrigin(request))), caller)
    },
  })
}

/** Only what is known of the body goes on. */
function toChange({ name, path, paths, language, settings }: Static<typeof LibraryChangeBody>): LibraryChange {
  const roots = paths ?? (path === undefined ? undefined : [path])
  return given({ name, roots, language, settings: settings && toSettings(settings) })
}

const toSettings = ({
  watchFiles,
  scanIntervalMinutes,
  trickplay,
  publicImages,
}: NonNullable<Static<typeof LibraryChangeBody>['settings']>) => given({ watchFiles, scanIntervalMinutes, trickplay, publicImages })

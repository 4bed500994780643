/** Serves folders of the server's machine, for administrators who choose those of a library. */
import { Type } from 'typebox'
import type { App, RouteContext } from '../server/app.ts'
import { unwrap } from '../server/errors.ts'
import { operation } from '../server/operation.ts'
import { named, nullable, refTo } from '../server/values-schemas.ts'

const PATH_MAX = 4096

export const FolderList = named(
  'FolderList',
  Type.Object({
    path: nullable(Type.String({ description: 'Null: the folders that libraries must be below.' })),
    parent: nullable(
      Type.String({ description: 'The folder above, if it may be listed. Above a media root is the list without a `path`.' }),
    ),
    folders: Type.Array(Type.Object({ name: Type.String(), path: Type.String() })),
  }),
)

const LIST_FOLDERS = {
  ...operation({
    id: 'listFolders',
    tag: 'libraries',
    by: 'admins',
    summary: 'List folders to choose from',
    description:
      'Folders within a folder of the machine that answers, without hidden ones: only those that a library may have (`MARQUEE_MEDIA_ROOTS`). Without `path`: the media roots, or the top of the file system if there are none.',
    answers: { 200: { description: 'The folders.', schema: refTo(FolderList) } },
    errors: [404, 422],
  }),
  querystring: Type.Object({
    path: Type.Optional(Type.String({ maxLength: PATH_MAX, format: 'folder-path', description: 'Absolute path, without `..`.' })),
  }),
}

export function addFolderRoutes(app: App, { services: { libraries } }: RouteContext<'libraries'>): void {
  app.route({
    method: 'GET',
    url: '/v1/admin/folders',
    schema: LIST_FOLDERS,
    handler: async ({ query: { path } }) => {
      const { folders, ...place } = unwrap(await libraries.folders(path))
      return { ...place, folders: [...folders] }
    },
  })
}

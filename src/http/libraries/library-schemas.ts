/** Schemas of libraries. */
import { FOLDERS_KEYWORD } from '../server/folders-keyword.ts'
import { Type, type Static } from 'typebox'
import { Count, Id, Time, named, nameText, nullable, pageOf } from '../server/values-schemas.ts'

const PATH_MAX = 4096
const YEAR_MINUTES = 525_600

const settings = {
  watchFiles: Type.Boolean({ description: 'Whether the server watches the folders for changes.' }),
  scanIntervalMinutes: Type.Integer({
    minimum: 0,
    maximum: YEAR_MINUTES,
    description: 'Minutes between scheduled scans; 0: no scheduled scans.',
  }),
  trickplay: Type.Boolean({ description: 'Whether thumbnails for the seek bar are made.' }),
  publicImages: Type.Boolean({ description: 'Whether images can be read without signing in, by their unguessable ids.' }),
}

export const Library = named(
  'Library',
  Type.Object({
    id: Id,
    name: Type.String(),
    kind: Type.Enum(['movies']),
    paths: Type.Unsafe<string[] | null>({ type: ['array', 'null'], items: Type.String(), description: 'Admins only.' }),
    language: Type.String({ description: 'BCP 47.' }),
    state: Type.Enum(['idle', 'scanning', 'offline']),
    available: Type.Boolean({ description: 'Whether all folders are available.' }),
    roots: Type.Unsafe<{ path: string; available: boolean; reason: string | null }[] | null>({
      type: ['array', 'null'],
      items: Type.Object({ path: Type.String(), available: Type.Boolean(), reason: nullable(Type.String()) }),
      description: 'Admins only.',
    }),
    movieCount: Count,
    missingCount: Count,
    lastScan: Type.Unsafe<{ id: string; state: string; finishedAt: string } | null>({
      anyOf: [Type.Object({ id: Id, state: Type.String(), finishedAt: Time }), { type: 'null' }],
    }),
    settings: Type.Object(settings),
    createdAt: Time,
    updatedAt: Time,
  }),
)
export type LibraryBody = Static<typeof Library>

export const LibraryPage = pageOf(Library)

const FOLDER = { maxLength: PATH_MAX, format: 'folder-path' }
const path = Type.String({ ...FOLDER, description: 'Absolute path of a folder, without `..`.' })

const name = nameText()
const members = {
  paths: Type.Optional(
    Type.Array(path, {
      minItems: 1,
      maxItems: 50,
      [FOLDERS_KEYWORD]: true,
      description: 'Folders of the library. Unavailable folders are accepted.',
    }),
  ),
  path: Type.Optional(Type.String({ ...FOLDER, [FOLDERS_KEYWORD]: true, description: 'One folder, in place of `paths`.' })),
  language: Type.Optional(
    Type.String({ pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$', maxLength: 35, description: 'BCP 47; default `en`.', examples: ['de'] }),
  ),
  settings: Type.Optional(Type.Partial(Type.Object(settings))),
}

export const LibraryChangeBody = Type.Object({ name: Type.Optional(name), ...members }, { examples: [{ name: 'Films of the house' }] })

export const NewLibraryBody = Type.Object(
  { name, ...members },
  {
    anyOf: [{ required: ['paths'] }, { required: ['path'] }],
    examples: [{ name: 'Films', paths: ['/media/films'] }],
  },
)

/**
 * Authorizes transcode agents on other machines to fetch films. A job's token gives access to that job's file, as long as its library
 * exists; a read's token gives access to the file at that path. Tokens belong to jobs and not to sessions: renditions outlive sessions.
 */
import type { FileDocument } from '../../../projections/views/files.ts'
import { isWithin } from '../../domain/libraries/library.ts'
import { refuse, type Refusal } from '../../domain/refusal.ts'
import { parseId } from '../../vocabulary/id.ts'
import type { Access } from '../access/access.ts'
import { createRecentFiles, type RecentFilesDependencies } from '../playback/recent-files.ts'
import type { SourceTokens } from './source-tokens.ts'

export type SourceFile = Pick<FileDocument, 'path' | 'libraryId'>

export interface AgentSources {
  /** Refusals: `unauthenticated` (anything but a valid token for this file), `not-found` (the file or its library is gone). */
  authorize(token: string | undefined, fileId: string): Promise<SourceFile | Refusal>
  /** Whether the file may still be read; the token's expiry does not matter once the file is open. */
  holds(file: SourceFile): boolean
}

export interface AgentSourcesDependencies extends RecentFilesDependencies {
  readonly access: Pick<Access, 'libraries'>
  readonly tokens: Pick<SourceTokens, 'read' | 'readPath'>
}

const NO_TOKEN = refuse('unauthenticated', 'Missing or invalid authentication')
const NO_FILE = refuse('not-found', 'There is no such file')

export function createAgentSources(deps: AgentSourcesDependencies): AgentSources {
  const fileOf = createRecentFiles(deps)
  const holds = ({ libraryId }: SourceFile): boolean => deps.access.libraries.has(libraryId)
  /** Only paths below the roots of an existing library. */
  function atPath(path: string): SourceFile | undefined {
    const owner = [...deps.access.libraries.values()].find(({ roots }) => roots.some((root) => isWithin(path, root.path)))
    return owner && !path.split('/').includes('..') ? { path, libraryId: owner.id } : undefined
  }
  return {
    async authorize(token, fileId) {
      const asked = token === undefined ? undefined : deps.tokens.readPath(token)
      if (asked) return asked.fileId === fileId ? (atPath(asked.path) ?? NO_FILE) : NO_TOKEN
      const claims = token === undefined ? undefined : deps.tokens.read(token)
      if (claims?.fileId !== fileId) return NO_TOKEN
      const id = parseId<'file'>(fileId)
      const file = id && (await fileOf(id))
      return file && !file.missing && holds(file) ? file : NO_FILE
    },
    holds,
  }
}

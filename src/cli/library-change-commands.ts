/** Implements `library rename`, `remove` and `restore`. */
import { asks, sendJson } from './api-request.ts'
import { NOT_DONE, report, type Call, type Command } from './command.ts'
import { findLibrary, findNamed } from './find-named.ts'

export const libraryChangeCommands: readonly Command[] = [
  {
    words: 'library rename',
    usage: '<library> <new name>',
    summary: 'gives a library another name',
    takes: [2, 2],
    run: renameLibrary,
  },
  {
    words: 'library remove',
    usage: '<library>',
    summary: 'removes a library; its files and what was watched stay, and `library restore` brings it back',
    takes: [1, 1],
    run: removeLibrary,
  },
  {
    words: 'library restore',
    usage: '<library>',
    summary: 'brings a removed library back, with its films, marks and resume points',
    takes: [1, 1],
    run: restoreLibrary,
  },
]

async function renameLibrary(call: Call): Promise<number> {
  const [named = '', name = ''] = call.rest
  const library = await findLibrary(call, named)
  if (!library) return NOT_DONE
  const changed = await sendJson(call, asks('PATCH', `/v1/libraries/${library.id}`, { name }))
  return changed ? report(call, null, `The library ${library.name} is now called ${name}.`, changed) : NOT_DONE
}

async function removeLibrary(call: Call): Promise<number> {
  const [named = ''] = call.rest
  const library = await findLibrary(call, named)
  if (!library) return NOT_DONE
  const removed = await sendJson(call, asks('DELETE', `/v1/libraries/${library.id}`))
  return removed
    ? report(call, null, `The library ${library.name} is removed. It comes back by: library restore ${library.id}`, removed)
    : NOT_DONE
}

/** As the description of the API has them. */
interface RemovedLibraries {
  readonly items: readonly { readonly id: string; readonly name: string; readonly removedAt: string }[]
}

async function restoreLibrary(call: Call): Promise<number> {
  const [named = ''] = call.rest
  const removed = (await sendJson(call, asks('GET', '/v1/admin/libraries/removed'))) as RemovedLibraries | undefined
  if (!removed) return NOT_DONE
  const names = removed.items.map(({ id, name }) => `${name} (${id})`).join(', ')
  const missing = `There is no removed library "${named}". ${names === '' ? 'None is removed' : `Removed are: ${names}`}`
  const library = findNamed(call, removed.items, { named, missing })
  if (!library) return NOT_DONE
  const restored = await sendJson(call, asks('POST', `/v1/admin/libraries/${library.id}/restore`, {}))
  return restored ? report(call, null, `The library ${library.name} is back.`, restored) : NOT_DONE
}

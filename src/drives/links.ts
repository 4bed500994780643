/** Follows the links of a path to the drive that it leads to: a dead drive must not take the places of the one that holds a link to it. */
import { join, resolve } from 'node:path'
import { createLruCache } from '../concurrency/lru-cache.ts'
import type { Mounts } from './mounts.ts'
import { NoAnswer, type Places } from './places.ts'

export interface LinksOptions {
  readonly mounts: Mounts
  readonly places: Pick<Places, 'call'>
  /** @throws if there is no link at the path */
  readonly readLink: (path: string) => Promise<string>
  readonly now: () => number
}

interface Known {
  /** Null if it is no link. */
  readonly target: string | null
  readonly atMs: number
}

const KEPT = 20_000
const KEPT_MS = 60_000
/** As many as Linux follows. */
const MOST_LINKS = 40

/** @throws NoAnswer if a drive on the way does not answer */
export function createDriveOf({ mounts, places, readLink, now }: LinksOptions): (path: string) => Promise<string> {
  const links = createLruCache<Known>(KEPT)

  function known(path: string): Known | undefined {
    if (mounts.leadsToDrive(path)) return { target: null, atMs: now() }
    const found = links.get(path)
    return found && now() - found.atMs < KEPT_MS ? found : undefined
  }

  async function look(path: string): Promise<Known> {
    const target = await places
      .call(mounts.driveOf(path), () => readLink(path))
      .catch((cause: unknown) => {
        if (cause instanceof NoAnswer) throw cause
        return null
      })
    const found = { target, atMs: now() }
    links.put(path, found)
    return found
  }

  return async (path) => {
    let real = '/'
    const rest = namesOf(resolve(path))
    for (let followed = 0; rest.length > 0;) {
      const next = join(real, rest.pop() ?? '')
      const { target } = known(next) ?? (await look(next))
      if (target === null) real = next
      else if (++followed > MOST_LINKS) break
      else {
        rest.push(...namesOf(resolve(real, target)))
        real = '/'
      }
    }
    return mounts.driveOf(real)
  }
}

/** Of a path from the root, the last one first. */
const namesOf = (path: string): string[] => path.split('/').filter(Boolean).toReversed()

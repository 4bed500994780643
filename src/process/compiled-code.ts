/**
 * Compiled code: what Node has made of the program's files is kept in the data folder, which only this server's user may write,
 * so that the next start need not strip and compile them again.
 */
import { enableCompileCache, flushCompileCache } from 'node:module'
import type { CreateMarquee } from './marquee.ts'

/** Loads Marquee through the kept code, and keeps what this start has compiled: a process that is killed writes nothing any more. */
export function fromCompiledCode(load: () => Promise<CreateMarquee>): CreateMarquee {
  return async (options) => {
    enableCompileCache(options.folder.compiledCode)
    const createMarquee = await load()
    const marquee = await createMarquee(options)
    return {
      ...marquee,
      async start() {
        const started = await marquee.start()
        flushCompileCache()
        return started
      },
    }
  }
}

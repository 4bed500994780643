/**
 * Keeps Node's compile cache in the data folder, which only this server's user may write. So the next start need not strip and compile the
 * program's files again.
 */
import { enableCompileCache, flushCompileCache } from 'node:module'
import type { CreateMarquee } from './marquee.ts'

/** Loads Marquee through the compile cache, and flushes the cache after the start: a killed process would not write it. */
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

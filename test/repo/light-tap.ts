/** Imported before tap, which then gets the module beside this one instead of `async-hook-domain`. */
import { registerHooks } from 'node:module'

const STAND_IN = new URL('./tap-domain.ts', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'async-hook-domain' ? STAND_IN : specifier, context),
})

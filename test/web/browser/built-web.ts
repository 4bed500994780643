import { buildWeb } from '../../../web/build.ts'
import { isBuilt } from '../../fixtures/built.ts'

/** Builds the web client, unless this run of tests has done so. */
export async function builtWeb(): Promise<void> {
  if (!isBuilt) await buildWeb()
}

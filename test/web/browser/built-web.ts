import { buildWeb } from '../../../web/build.ts'

/** Builds the web client, unless the run of tests to which this file belongs has done so (`test/repo/run-tests.ts`). */
export async function builtWeb(): Promise<void> {
  if (process.env['MARQUEE_TEST_BUILT'] !== '1') await buildWeb()
}

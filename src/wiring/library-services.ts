/** The services of libraries and their scans. */
import { createLibraries } from '../app/libraries/libraries.ts'
import type { ImageKey } from '../app/images/image-key.ts'
import { createScanRunner } from '../app/scans/scan-runner.ts'
import { createScans } from '../app/scans/scans.ts'
import type { Foundation, ServiceOptions } from './service-foundation.ts'

interface LibraryServicesDependencies extends Foundation {
  readonly imageKey: ImageKey
}

export function createLibraryServices(deps: LibraryServicesDependencies, { ports, node, mediaRoots, probeWidth, onError }: ServiceOptions) {
  const { access, commandHandler, readModels, imageKey, readYourWrites } = deps
  const { bus, clock, ids, leases, log, media, reader, readsWait } = ports
  const shared = { access, commandHandler, readModels, readYourWrites, ids }
  const scanRunner = createScanRunner({
    ...shared,
    bus,
    clock,
    imageKey,
    leases,
    media,
    readsWait,
    reader,
    node,
    width: probeWidth,
    onError,
  })
  const scans = createScans({ ...shared, bus, clock, leases, log, run: (...asked) => scanRunner.run(...asked) })
  return { libraries: createLibraries({ ...shared, media, mediaRoots, endScan: (...ended) => scans.end(...ended) }), scanRunner, scans }
}

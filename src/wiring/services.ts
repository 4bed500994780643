/** Builds the application's services over the engines. Nothing here starts by itself. */
import { createDataExport } from '../app/accounts/data-export.ts'
import { createDestroyedKeys } from '../app/commands/destroyed-keys.ts'
import { createOperatorCommands } from '../app/operator/operators.ts'
import { createAccountServices } from './account-services.ts'
import { createAuditServices } from './audit-services.ts'
import { createFeedServices } from './feed-services.ts'
import { createHistoryServices } from './history-services.ts'
import { createLibraryServices } from './library-services.ts'
import { createMovieServices } from './movie-services.ts'
import { createPlaybackServices } from './playback-services.ts'
import { type ServiceOptions, createFoundation } from './service-foundation.ts'
import { createWebhookServices } from './webhook-services.ts'

export type Services = ReturnType<typeof createServices>

export function createServices(options: ServiceOptions) {
  const { ports } = options
  const { clock, ids, log, openScratchStore } = ports
  const foundation = createFoundation(options)
  const { access, commandHandler, readModels, readYourWrites, sealer } = foundation
  const own = createAccountServices(foundation, options)
  const { accessTokens, accounts, accountChanges, logins, nameOf, preferences, secondFactors, signIns } = own
  const audit = createAuditServices({ ...ports, ...foundation, ...options, nameOf })
  const { accessRecords, auditLines, checkpoints, witness } = audit
  const watching = createHistoryServices({
    access,
    accessRecords,
    clock,
    commandHandler,
    readModels,
    ids,
    log,
    nameOf,
    readYourWrites,
    sealer,
  })
  const movies = createMovieServices(foundation, options)
  const stock = createLibraryServices({ ...foundation, imageKey: movies.imageKey }, options)
  const watched = createPlaybackServices({ ...foundation, accounts, trickplay: movies.trickplay }, options)
  const operators = createOperatorCommands({
    ...foundation,
    ...stock,
    ...watched,
    accessTokens,
    accounts,
    backups: audit.backups,
    changes: accountChanges,
    clock,
    historyImports: watching.historyImports,
    logins,
    log: ports.wholeLog ?? log,
    openScratchStore,
    rotateKey: checkpoints.rotate,
    secondFactors,
    signIns,
    urls: options.urls,
    witness,
  })
  return {
    ...foundation,
    ...own,
    ...audit,
    ...createFeedServices(foundation, options),
    ...createWebhookServices(foundation, options),
    ...watching,
    ...movies,
    ...stock,
    ...watched,
    destroyedKeys: createDestroyedKeys(sealer),
    exportData: createDataExport({ access, accounts, auditLines, readModels, logins, preferences, sealer }),
    operators,
  }
}

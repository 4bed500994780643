/** The operator's commands of a node: those of its services, and the API of its HTTP server. */
import { operatorCaller } from '../app/operator/operator-caller.ts'
import type { OperatorCommands } from '../app/operator/operator-commands.ts'
import { isRefusal } from '../domain/refusal.ts'
import type { App } from '../http/server/app.ts'
import type { Parts } from './parts.ts'

export function operatorCommands({ ports, services }: Pick<Parts, 'ports' | 'services'>, server: () => Promise<App>): OperatorCommands {
  return {
    ...services.operators,
    async callApi(ask, signal) {
      const caller = operatorCaller(services.access, ports.ids)
      return isRefusal(caller) ? caller : (await server()).callAsOperator(ask, caller, signal)
    },
  }
}

/** Runs the operator's commands on history: imports what another program knows, for a user. */
import { isRefusal } from '../../domain/refusal.ts'
import type { HistoryImports } from '../history/history-imports.ts'
import { findUser, type AccountOperatorDependencies } from './account-operators.ts'
import type { OperatorCommands } from './operator-commands.ts'

type HistoryCommands = Pick<OperatorCommands, 'importHistory' | 'undoImport'>

export interface HistoryOperatorDependencies extends Pick<AccountOperatorDependencies, 'access' | 'accounts'> {
  readonly historyImports: Pick<HistoryImports, 'take' | 'undo'>
}

export function createHistoryOperators(deps: HistoryOperatorDependencies): HistoryCommands {
  const { access, historyImports } = deps
  return {
    async importHistory({ user, ...page }) {
      const userId = await findUser(deps, user)
      if (isRefusal(userId)) return userId
      const found = access.users.get(userId)
      if (!found) throw new Error(`The account ${userId} went away`)
      return historyImports.take({ ...found, userId }, page, { actor: 'cli', command: 'importHistory' })
    },

    async undoImport({ user, importId }) {
      const userId = await findUser(deps, user)
      if (isRefusal(userId)) return userId
      return (await historyImports.undo(userId, importId, { actor: 'cli', command: 'undoHistoryImport' })) ?? null
    },
  }
}

/** Commands that a player has not yet taken, oldest first: one rule for every such list. */
import type { CommandId } from './id.ts'

interface Outstanding {
  readonly id: CommandId
}

/** A player that takes none gets only the newest ones: older commands are obsolete. */
const OUTSTANDING_MAX = 16

export function issued<Command extends Outstanding>(commands: readonly Command[], command: Command): readonly Command[] {
  return [...commands, command].slice(-OUTSTANDING_MAX)
}

/** The remaining commands once the player has acknowledged `last`. */
export function acknowledged<Command extends Outstanding>(commands: readonly Command[], last: CommandId | undefined): readonly Command[] {
  return commands.slice(commands.findIndex(({ id }) => id === last) + 1)
}

/** Commands that a player has not taken yet, oldest first: one rule for whoever keeps such a list. */
import type { CommandId } from './id.ts'

interface Outstanding {
  readonly id: CommandId
}

/** A player that takes none gets the newest ones: what was wanted before them has passed. */
const OUTSTANDING_MAX = 16

export function issued<Command extends Outstanding>(commands: readonly Command[], command: Command): readonly Command[] {
  return [...commands, command].slice(-OUTSTANDING_MAX)
}

/** What is left once the player has come as far as `last`. */
export function acknowledged<Command extends Outstanding>(commands: readonly Command[], last: CommandId | undefined): readonly Command[] {
  return commands.slice(commands.findIndex(({ id }) => id === last) + 1)
}

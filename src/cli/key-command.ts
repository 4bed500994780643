/** Implements `key rotate`, which replaces the key that signs the checkpoints of the audit log. */
import { DONE, type Call, type Command } from './command.ts'

export const keyCommand: Command = {
  words: 'key rotate',
  usage: '',
  summary: 'makes another key that signs checkpoints; they are signed with the one before, too, and old checkpoints hold',
  takes: [0, 0],
  run: rotate,
}

async function rotate({ commands, terminal }: Call): Promise<number> {
  const { verifier } = await commands.rotateCheckpointKey()
  terminal.print(`Checkpoints are signed with a new key: ${verifier}`)
  terminal.print('Keep it together with the previous key: earlier checkpoints verify with that one only.')
  return DONE
}

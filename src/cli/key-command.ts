/** Implements `key rotate`, which replaces the key that signs the checkpoints of the audit log. */
import { DONE, printData, type Call, type Command } from './command.ts'

export const keyCommand: Command = {
  words: 'key rotate',
  usage: '',
  summary: 'makes another key that signs checkpoints; they are signed with the one before, too, and old checkpoints hold',
  takes: [0, 0],
  run: rotate,
}

async function rotate(call: Call): Promise<number> {
  const made = await call.commands.rotateCheckpointKey()
  printData(call, made, () => [
    `Checkpoints are signed with a new key: ${made.verifier}`,
    'Keep it together with the previous key: earlier checkpoints verify with that one only.',
  ])
  return DONE
}

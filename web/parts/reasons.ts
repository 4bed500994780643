/** Why a film plays as it does, in words. */
import { en } from '../words/en.ts'
import { say } from '../words/words.ts'

/** A newer server may have reasons that have no words yet: their names are better than nothing. */
export function reasonText(reason: string): string {
  const key = `player.reason.${reason}`
  return key in en ? say(key as 'player.reason.container') : reason
}

/** Why a film plays as it does, in words. */
import { sayKnown } from '../words/words.ts'
import '../words/en-reasons.ts'

export const reasonText = (reason: string): string => sayKnown(`player.reason.${reason}`, reason)

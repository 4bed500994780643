/** English words of the player. */
export const playerEn = {
  'player.play': 'Play',
  'player.pause': 'Pause',
} as const

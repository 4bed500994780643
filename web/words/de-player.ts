/** German words of the player. */
export const playerDe = {
  'player.play': 'Abspielen',
  'player.pause': 'Pause',
} as const

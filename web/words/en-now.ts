/** English: who watches now. */
import { counted as count } from './counted.ts'
import { addEnglish } from './words.ts'

interface Named {
  readonly name: string
}

export const nowEn = {
  'now.count': ({ count: n }: { readonly count: number }) => `${count(n, 'film')} playing`,
  'now.none.all': 'Nobody is watching',
  'now.none.all.hint': 'When somebody plays a film, it appears here by itself.',
  'now.none.own': 'You are not watching anything',
  'now.none.own.hint': 'Films that you play on any device appear here by themselves.',
  'now.device.unknown': 'Unknown device',
  'now.progress': 'Position',
  'now.position': ({ position, duration }: { readonly position: string; readonly duration: string }) => `${position} of ${duration}`,
  'now.state.playing': 'Playing',
  'now.state.paused': 'Paused',
  'now.state.buffering': 'Loading',
  'now.not': ({ method }: { readonly method: string }) => `Not “${method}”, because`,
  'now.pause': 'Pause',
  'now.pause.done': ({ name }: Named) => `${name}’s player has been asked to pause`,
  'now.message': 'Message…',
  'now.message.title': ({ name }: Named) => `Message to ${name}`,
  'now.message.text': 'Message',
  'now.message.send': 'Send',
  'now.message.done': ({ name }: Named) => `The message is on its way to ${name}`,
  'now.stop': 'Stop…',
  'now.stop.title': ({ name }: Named) => `Stop ${name}’s film?`,
  'now.stop.hint': 'The film ends at once. It can be resumed where it was.',
  'now.stop.why': 'Message (optional)',
  'now.stop.do': 'Stop the film',
  'now.stop.done': ({ name }: Named) => `${name}’s film has been stopped`,
} as const

addEnglish(nowEn)

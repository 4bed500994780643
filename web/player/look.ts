/** What the person chose for this device: volume, quality, and how subtitles look. Kept in the browser, for no other device. */

export interface SubtitleLook {
  readonly size: 'small' | 'medium' | 'large' | 'huge'
  readonly colour: 'white' | 'yellow' | 'grey'
  readonly background: 'none' | 'shade' | 'black'
  readonly edge: 'shadow' | 'outline' | 'none'
  readonly height: 'low' | 'middle' | 'high'
  /** Whether a screen reader reads them out. */
  readonly readOut: boolean
}

export interface DeviceChoices {
  readonly volume: number
  readonly muted: boolean
  readonly quality: string | undefined
  readonly look: SubtitleLook
}

export const LOOKS = {
  size: ['small', 'medium', 'large', 'huge'],
  colour: ['white', 'yellow', 'grey'],
  background: ['none', 'shade', 'black'],
  edge: ['shadow', 'outline', 'none'],
  height: ['low', 'middle', 'high'],
} as const satisfies { readonly [K in Exclude<keyof SubtitleLook, 'readOut'>]: readonly SubtitleLook[K][] }

const USUAL: DeviceChoices = {
  volume: 1,
  muted: false,
  quality: undefined,
  look: { size: 'medium', colour: 'white', background: 'none', edge: 'shadow', height: 'low', readOut: false },
}

const NAME = 'marquee.player'

type Store = Pick<Storage, 'getItem' | 'setItem'>

/** Whatever does not fit is as usual: an older or newer client may have written it. */
export function readDevice(text: string | null): DeviceChoices {
  const stored = parsed(text)
  const look = Object(stored['look']) as Record<string, unknown>
  const { volume, muted, quality } = stored
  const oneOf = <K extends keyof typeof LOOKS>(name: K): SubtitleLook[K] =>
    (LOOKS[name] as readonly unknown[]).includes(look[name]) ? (look[name] as SubtitleLook[K]) : USUAL.look[name]
  return {
    volume: typeof volume === 'number' && volume >= 0 && volume <= 1 ? volume : USUAL.volume,
    muted: muted === true,
    quality: typeof quality === 'string' ? quality : undefined,
    look: {
      size: oneOf('size'),
      colour: oneOf('colour'),
      background: oneOf('background'),
      edge: oneOf('edge'),
      height: oneOf('height'),
      readOut: look['readOut'] === true,
    },
  }
}

function parsed(text: string | null): Record<string, unknown> {
  try {
    return Object(JSON.parse(text ?? '{}')) as Record<string, unknown>
  } catch {
    return {}
  }
}

/** A browser that keeps nothing, such as a private window, has the usual choices. */
export function loadDevice(store: () => Store): DeviceChoices {
  try {
    return readDevice(store().getItem(NAME))
  } catch {
    return USUAL
  }
}

export function storeDevice(store: () => Store, choices: DeviceChoices): void {
  try {
    store().setItem(NAME, JSON.stringify(choices))
  } catch {
    // Nothing is kept then.
  }
}

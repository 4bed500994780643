/** Video encoders. A session records its encoder, since renditions of different ones share nothing. */

export const ENCODERS = ['x264', 'nvenc', 'qsv', 'videotoolbox', 'vaapi'] as const
export type Encoder = (typeof ENCODERS)[number]

export const encoderNamed = (name: unknown): Encoder | undefined => ENCODERS.find((encoder) => encoder === name)

/** Defines the finding of one `doctor` check, and its remedy. */
export interface Finding {
  /** Short name of the check, the same for every result: `disk space`. */
  readonly check: string
  /** `failed`: the server cannot work; `warning`: it works worse or at risk. */
  readonly state: 'ok' | 'warning' | 'failed'
  readonly text: string
  /** What to do about it; only for a warning or a failure. */
  readonly remedy?: string
}

export const ok = (check: string, text: string): Finding => ({ check, state: 'ok', text })
export const warning = (check: string, text: string, remedy: string): Finding => ({ check, state: 'warning', text, remedy })
export const failed = (check: string, text: string, remedy: string): Finding => ({ check, state: 'failed', text, remedy })

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** For a person: `1.5 GB`. */
export function sizeText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  const value = bytes / 1000 ** power
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[power] ?? 'B'}`
}

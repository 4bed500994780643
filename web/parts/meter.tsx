/** How far something is, as a line. */

export interface MeterProps {
  readonly label: string
  /** 0 to 1; undefined: it goes on, and nobody knows how far it is. */
  readonly share: number | undefined
  /** Read out in place of the percentage. */
  readonly text?: string
}

export function Meter({ label, share, text }: MeterProps) {
  const percent = share === undefined ? undefined : Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10
  return (
    <div
      class={percent === undefined ? 'meter unknown' : 'meter'}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={text}
    >
      <i style={percent === undefined ? undefined : { inlineSize: `${percent}%` }} />
    </div>
  )
}

/** On the image of a card: how far the person is, and that all of it is watched. */
import { Check } from 'lucide'
import { Icon } from './icon.tsx'

export interface ImageMarksProps {
  /** Watched share, from 0 (not begun) to 1. */
  readonly share: number
  readonly isWatched: boolean
}

export function ImageMarks({ share, isWatched }: ImageMarksProps) {
  return (
    <>
      {share > 0 && (
        <span class="progress">
          <i style={{ inlineSize: `${Math.min(100, share * 100)}%` }} />
        </span>
      )}
      {isWatched && (
        <span class="seen">
          <Icon of={Check} size={15} />
        </span>
      )}
    </>
  )
}

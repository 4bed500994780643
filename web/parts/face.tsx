/** A person's image, or their initials. */
import { imageAt } from './poster.tsx'

export function Face({ name, image }: { readonly name: string; readonly image: string | null }) {
  if (image !== null) return <img class="face" src={imageAt(image, 160)} width={64} height={64} alt="" loading="lazy" decoding="async" />
  const initials = name
    .split(/\s+/)
    .map((part) => /[\p{L}\p{N}]/u.exec(part)?.[0] ?? '')
    .join('')
    .slice(0, 2)
  return (
    <span class="face" aria-hidden="true">
      {initials}
    </span>
  )
}

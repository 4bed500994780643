/** People with their images, each a link to their films: the first few, and all of them by a button. */
import { useState } from 'preact/hooks'
import { Face } from './face.tsx'
import { Link } from './link.tsx'

export interface PeopleProps {
  /** Of the section, for its heading. */
  readonly id: string
  readonly title: string
  readonly people: readonly PersonEntry[]
  /** Shown at first. */
  readonly most: number
  /** On the button that shows all. */
  readonly all: string
}

export interface PersonEntry {
  readonly id: string
  readonly name: string
  readonly image: string | null
  /** Below the name: whom they play. */
  readonly note?: string | null
}

export function People({ id, title, people, most, all }: PeopleProps) {
  const [isOpen, setOpen] = useState(false)
  const shown = isOpen ? people : people.slice(0, most)
  return (
    <section class="shelf" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul class="people">
        {shown.map(({ id, name, image, note = null }) => (
          <li key={`${id} ${note}`}>
            <Link to={`/people/${id}`} class="person" data-focus={`person ${id}`}>
              <Face name={name} image={image} />
              <span>
                <strong>{name}</strong>
                {note !== null && <span class="soft">{note}</span>}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {shown.length < people.length && (
        <button type="button" class="quiet" onClick={() => setOpen(true)}>
          {all}
        </button>
      )}
    </section>
  )
}

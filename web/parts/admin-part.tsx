/** One of the boxes that administrators' pages consist of. */
import type { ComponentChildren } from 'preact'

export interface AdminPartProps {
  readonly title: string
  readonly isWide?: boolean
  readonly children: ComponentChildren
}

export const AdminPart = ({ title, isWide = false, children }: AdminPartProps) => (
  <section class={isWide ? 'admin-part wide' : 'admin-part'}>
    <h2>{title}</h2>
    {children}
  </section>
)

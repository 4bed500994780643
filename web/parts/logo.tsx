/** The sign of Marquee, as in the icon of the window. */
export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 32 32" width={56} height={56} aria-hidden="true" focusable="false">
      <path d="M5 25V8l11 9 11-9v17" fill="none" stroke="currentColor" stroke-width="4" stroke-linejoin="round" stroke-linecap="round" />
    </svg>
  )
}

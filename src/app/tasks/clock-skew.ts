/** Clocks of machines differ by less. A time further ahead was noted while a clock was wrong, so it says nothing. */
export const CLOCK_SKEW_MS = 600_000

/**
 * What the first page and most others need. The build makes one script of it, by letting each page import it: otherwise each set of
 * pages that share a module would get a script of its own, and a slow network a dozen requests before the first title.
 */
import './app.tsx'
import './data/live.ts'
import './parts/card.tsx'
import './parts/shelf.tsx'
import './parts/titles-mark.ts'

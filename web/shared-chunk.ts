/**
 * What the first page and most others need. The build makes one script of it, by letting each page, and each other script that is loaded
 * later, import it: otherwise each set of them that share a module would get a script of its own. Browsers ask for six files at once, so
 * that a seventh would cost a slow network another round trip before the first title.
 */
import './app.tsx'
import './data/live.ts'
import './data/tv.ts'
import './data/typed.ts'
import './parts/card.tsx'
import './parts/field.tsx'
import './parts/form.ts'
import './parts/logo.tsx'
import './parts/no-movies.tsx'
import './parts/shelf.tsx'
import './parts/titles-mark.ts'

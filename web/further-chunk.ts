/**
 * Small parts that several pages beyond the first ones share. The build makes one script of them, by letting each of those pages import it:
 * a script for each would weigh more than its content.
 */
import './data/past-queries.ts'
import './data/users-query.ts'
import './parts/admin-part.tsx'
import './parts/ask.tsx'
import './parts/changes.tsx'
import './parts/collection-card.tsx'
import './parts/face.tsx'
import './parts/fact-list.tsx'
import './parts/filters.tsx'
import './parts/login-name.ts'
import './parts/meter.tsx'
import './parts/people.tsx'
import './parts/save.ts'
import './parts/scroller.tsx'
import './parts/show-more.tsx'
import './parts/shown-once.tsx'
import './parts/time-travel.tsx'

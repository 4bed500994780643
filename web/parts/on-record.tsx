/** Says to administrators that their look at others is recorded, and where those can read it. */
import { Eye } from 'lucide-preact'
import { say } from '../words/words.ts'
import { Icon } from './icon.tsx'

export function OnRecord() {
  return (
    <p class="on-record">
      <Icon of={Eye} size={18} />
      {say('admin.on-record')}
    </p>
  )
}

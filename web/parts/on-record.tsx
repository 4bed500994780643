/** A notice for administrators: their looks at other people's viewings are recorded, and those people can read the record. */
import { Eye } from 'lucide'
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

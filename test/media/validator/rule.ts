/** Defines the rules of the stream validator: each is a small pure function over one served object, with the sentence that it checks. */
export interface Rule<Subject> {
  /** Source of the rule: a section of RFC 8216, a number of Apple's authoring specification, or `Marquee` for a rule of its own. */
  readonly source: string
  readonly says: string
  /** Violations; empty if there are none. */
  readonly check: (subject: Subject) => readonly string[]
}

/** All violations by the subject, one sentence each, at most a few for each rule. */
export function judge<Subject>(rules: readonly Rule<Subject>[], subject: Subject, place: string): readonly string[] {
  return rules.flatMap(({ source, says, check }) =>
    check(subject)
      .slice(0, MOST_OF_ONE_RULE)
      .map((found) => `${place}: ${found} [${source}: ${says}]`),
  )
}

/** Otherwise a rule broken by every segment would hide the others. */
const MOST_OF_ONE_RULE = 3

/** A finding if the condition does not hold. */
export const unless = (holds: boolean, found: string): readonly string[] => (holds ? [] : [found])

export const repeated = (values: readonly string[]): readonly string[] => values.filter((value, index) => values.indexOf(value) < index)

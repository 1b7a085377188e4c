/**
 * Entailments of the suite that no rule of the profile's tables 4 to 9 gives, and what the Python reasoner owlrl 7.6 does
 * with them.
 */
export const KNOWN: Readonly<Record<string, { readonly reason: string; readonly owlrl: 'misses it too' | 'derives it' }>> = {
  'New-Feature-ReflexiveProperty-001': {
    reason: 'outside tables 4-9: no rule reads owl:ReflexiveProperty',
    owlrl: 'misses it too',
  },
  'WebOnt-I5.26-010': {
    reason: 'outside tables 4-9: asks that a minimum cardinality restriction exists, and no rule makes class expressions',
    owlrl: 'misses it too',
  },
  'WebOnt-I5.5-005': {
    reason: 'outside tables 4-9: asks that a union of one class exists, and no rule makes class expressions',
    owlrl: 'misses it too',
  },
}

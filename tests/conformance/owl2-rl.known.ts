/** Entailments of the suite that no rule of the profile's tables 4 to 9 gives. The Python reasoner owlrl 7.6 misses them too. */
export const KNOWN: Readonly<Record<string, { readonly reason: string }>> = {
  'New-Feature-ReflexiveProperty-001': {
    reason: 'outside tables 4-9: no rule reads owl:ReflexiveProperty',
  },
  'WebOnt-I5.26-010': {
    reason: 'outside tables 4-9: asks that a minimum cardinality restriction exists, and no rule makes class expressions',
  },
  'WebOnt-I5.5-005': {
    reason: 'outside tables 4-9: asks that a union of one class exists, and no rule makes class expressions',
  },
}

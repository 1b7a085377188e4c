/** Cases whose shapes are refused, with a part of the refusal. A case that starts to pass must leave the list. */
export const REFUSED: Readonly<Record<string, string>> = {}

/** Cases whose report names a value below the target, which a condition never sees: the targets by hand instead. */
export const REPORTED_BELOW: Readonly<Record<string, readonly string[]>> = {
  'property/property-001.ttl': [
    '<http://datashapes.org/sh/tests/core/property/property-001.test#InvalidPerson1>',
    '<http://datashapes.org/sh/tests/core/property/property-001.test#InvalidPerson2>',
  ],
  'validation-reports/shared.ttl': ['<http://example.org/shacl-test/i>'],
}

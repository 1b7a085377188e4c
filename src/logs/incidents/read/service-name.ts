/**
 * The service behind a pod: `cart-5f6585d649-fnmft` is a copy of `cart`. A deployment names its pods by the hash of their
 * template and five letters or digits without vowels (Kubernetes, apimachinery `rand.SafeEncodeString`); a stateful set by a number.
 */
export function serviceOfPod(pod: string): string {
  const deployed = /^(.+?)-[0-9a-f]{5,10}-[0-9a-z]{5}$/.exec(pod) ?? /^(.+?)-[bcdfghjklmnpqrstvwxz2456789]{8,10}-[bcdfghjklmnpqrstvwxz2456789]{5}$/.exec(pod)
  if (deployed?.[1] !== undefined) return deployed[1]
  return /^(.+[a-z])-\d{1,3}$/.exec(pod)?.[1] ?? pod
}

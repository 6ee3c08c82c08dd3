/** How one object of a bucket names another in a playlist: relative, so that it holds under every host of the bucket. */

export function relativeAddress(fromKey: string, toKey: string): string {
  const from = fromKey.split('/').slice(0, -1);
  const to = toKey.split('/');
  let shared = 0;
  while (shared < from.length && shared < to.length - 1 && from[shared] === to[shared]) shared++;
  const steps = [
    ...from.slice(shared).map(() => '..'),
    ...to.slice(shared).map((segment) => encodeURIComponent(segment)),
  ].join('/');
  // A first segment with a colon would be read as a scheme, an empty one as a host.
  return /^[^/]*:|^\/|^$/.test(steps) ? `./${steps}` : steps;
}

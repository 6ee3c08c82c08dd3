/** Calls that some of Qiniu's SDKs make at the host of another role than documented, for its dialect. */
import type { Route } from '../platform/web/index.ts';

const ALSO_AT: ReadonlyMap<string, readonly string[]> = new Map([
  // Ruby
  ['/buckets', ['rs']],
  // PHP
  ['/setbucketquota/*', ['api']],
  ['/getbucketquota/*', ['api']],
]);

export function withSdkRoleAliases(route: Route): Route {
  const alsoAt = route.role === 'uc' ? ALSO_AT.get(route.path) : undefined;
  return alsoAt === undefined ? route : { ...route, alsoAt };
}

/** Uploads, at the `up` host. */
import type { Route } from '../../platform/web/index.ts';
import type { Uploads } from './service.ts';

export function uploadRoutes({ forms }: Uploads): Route[] {
  return [{ role: 'up', methods: ['POST'], path: '/', body: 'stream', handle: (call) => forms.upload(call) }];
}

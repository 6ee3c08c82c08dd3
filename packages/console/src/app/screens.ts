/** The areas of the console, each with its own addresses. */

import { bucketSettingsRoutes } from '../screens/bucket-settings/routes.ts';
import { overviewRoutes } from '../screens/overview/routes.ts';
import type { shellRoute } from './roots.ts';

export function screens(shell: typeof shellRoute) {
  return [...overviewRoutes(shell), ...bucketSettingsRoutes(shell)] as const;
}

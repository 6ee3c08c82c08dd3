/** The areas of the console, each with its own addresses. */

import { overviewRoutes } from '../screens/overview/routes.ts';
import type { shellRoute } from './roots.ts';

export function screens(shell: typeof shellRoute) {
  return [...overviewRoutes(shell)] as const;
}

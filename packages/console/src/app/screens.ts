/** The areas of the console, each with its own addresses. */
import { accessRoutes } from '../screens/access/routes.ts';
import { bucketSettingsRoutes } from '../screens/bucket-settings/routes.ts';
import { bucketsRoutes } from '../screens/buckets/routes.ts';
import { bulkRoutes } from '../screens/bulk/routes.ts';
import { commandsRoutes } from '../screens/commands/routes.ts';
import { deliveriesRoutes } from '../screens/deliveries/routes.ts';
import { devicesRoutes } from '../screens/devices/routes.ts';
import { enginesRoutes } from '../screens/engines/routes.ts';
import { fetchesRoutes } from '../screens/fetches/routes.ts';
import { liveRoutes } from '../screens/live/routes.ts';
import { objectsRoutes } from '../screens/objects/routes.ts';
import { overviewRoutes } from '../screens/overview/routes.ts';
import { pipelinesRoutes } from '../screens/pipelines/routes.ts';
import { requestsRoutes } from '../screens/requests/routes.ts';
import { tasksRoutes } from '../screens/tasks/routes.ts';
import { templatesRoutes } from '../screens/templates/routes.ts';
import { tokensRoutes } from '../screens/tokens/routes.ts';
import { trashRoutes } from '../screens/trash/routes.ts';
import type { shellRoute } from './roots.ts';

export function screens(shell: typeof shellRoute) {
  return [
    ...overviewRoutes(shell),
    ...tasksRoutes(shell),
    ...pipelinesRoutes(shell),
    ...templatesRoutes(shell),
    ...commandsRoutes(shell),
    ...deliveriesRoutes(shell),
    ...bucketsRoutes(shell),
    ...objectsRoutes(shell),
    ...trashRoutes(shell),
    ...bulkRoutes(shell),
    ...bucketSettingsRoutes(shell),
    ...fetchesRoutes(shell),
    ...accessRoutes(shell),
    ...enginesRoutes(shell),
    ...requestsRoutes(shell),
    ...tokensRoutes(shell),
    ...liveRoutes(shell),
    ...devicesRoutes(shell),
  ] as const;
}

import { createRoute } from '@tanstack/react-router';
import type { shellRoute } from '../../app/roots.ts';

export function pipelinesRoutes(shell: typeof shellRoute) {
  return [
    createRoute({ getParentRoute: () => shell, path: '/pipelines' }).lazy(() =>
      import('./pipelines-screen.tsx').then(({ PipelinesScreen }) => PipelinesScreen),
    ),
    createRoute({ getParentRoute: () => shell, path: '/pipelines/$name' }).lazy(() =>
      import('./pipeline-screen.tsx').then(({ PipelineScreen }) => PipelineScreen),
    ),
  ] as const;
}

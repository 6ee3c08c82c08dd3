import { createRoute } from '@tanstack/react-router';
import type { shellRoute } from '../../app/roots.ts';
import { withWords } from '../../lib/words.ts';

export function pipelinesRoutes(shell: typeof shellRoute) {
  return [
    createRoute({ getParentRoute: () => shell, path: '/pipelines' }).lazy(() =>
      withWords(import('./pipelines-screen.tsx'), 'pipelines').then(({ PipelinesScreen }) => PipelinesScreen),
    ),
    createRoute({ getParentRoute: () => shell, path: '/pipelines/$name' }).lazy(() =>
      withWords(import('./pipeline-screen.tsx'), 'pipelines').then(({ PipelineScreen }) => PipelineScreen),
    ),
  ] as const;
}

import { createRoute } from '@tanstack/react-router';
import type { shellRoute } from '../../app/roots.ts';
import { withWords } from '../../lib/words.ts';
import { readEdited } from './use-edited.ts';

export function bucketSettingsRoutes(shell: typeof shellRoute) {
  return [
    createRoute({ getParentRoute: () => shell, path: '/buckets/$bucket/access' }).lazy(() =>
      withWords(import('./access.tsx'), 'bucket-frame', 'bucket-settings').then(
        ({ AccessScreen }) => AccessScreen,
      ),
    ),
    createRoute({
      getParentRoute: () => shell,
      path: '/buckets/$bucket/cors',
      validateSearch: readEdited,
    }).lazy(() =>
      withWords(import('./cors/cors.tsx'), 'bucket-frame', 'bucket-settings').then(
        ({ CorsScreen }) => CorsScreen,
      ),
    ),
    createRoute({
      getParentRoute: () => shell,
      path: '/buckets/$bucket/lifecycle',
      validateSearch: readEdited,
    }).lazy(() =>
      withWords(import('./lifecycle/lifecycle.tsx'), 'bucket-frame', 'bucket-settings').then(
        ({ LifecycleScreen }) => LifecycleScreen,
      ),
    ),
    createRoute({ getParentRoute: () => shell, path: '/buckets/$bucket/domains' }).lazy(() =>
      withWords(import('./domains.tsx'), 'bucket-frame', 'bucket-settings').then(
        ({ DomainsScreen }) => DomainsScreen,
      ),
    ),
    createRoute({ getParentRoute: () => shell, path: '/buckets/$bucket/mirror' }).lazy(() =>
      withWords(import('./mirror.tsx'), 'bucket-frame', 'bucket-settings').then(
        ({ MirrorScreen }) => MirrorScreen,
      ),
    ),
    createRoute({ getParentRoute: () => shell, path: '/buckets/$bucket/quota' }).lazy(() =>
      withWords(import('./quota/quota.tsx'), 'bucket-frame', 'bucket-settings').then(
        ({ QuotaScreen }) => QuotaScreen,
      ),
    ),
    createRoute({
      getParentRoute: () => shell,
      path: '/buckets/$bucket/events',
      validateSearch: readEdited,
    }).lazy(() =>
      withWords(import('./events/events.tsx'), 'bucket-frame', 'bucket-settings').then(
        ({ EventsScreen }) => EventsScreen,
      ),
    ),
    createRoute({
      getParentRoute: () => shell,
      path: '/buckets/$bucket/triggers',
      validateSearch: readEdited,
    }).lazy(() =>
      withWords(import('./triggers/triggers.tsx'), 'bucket-frame', 'bucket-settings').then(
        ({ TriggersScreen }) => TriggersScreen,
      ),
    ),
    createRoute({
      getParentRoute: () => shell,
      path: '/buckets/$bucket/styles',
      validateSearch: readEdited,
    }).lazy(() =>
      withWords(import('./styles/styles.tsx'), 'bucket-frame', 'bucket-settings').then(
        ({ StylesScreen }) => StylesScreen,
      ),
    ),
  ] as const;
}

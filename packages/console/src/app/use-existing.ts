/** Which entries of the navigation this session has. */
import { useRouter } from '@tanstack/react-router';
import type { Entry } from './navigation.ts';
import { useSession } from './session-context.tsx';

export function useExisting(): (entry: Entry) => boolean {
  const { operator } = useSession();
  const { routesByPath } = useRouter();
  return (entry) => (entry.operator === undefined || operator) && entry.to in routesByPath;
}

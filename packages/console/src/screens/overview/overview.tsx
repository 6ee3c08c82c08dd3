/** What needs somebody now, how the installation does, and where to look. */
import { createLazyRoute } from '@tanstack/react-router';
import { useWords } from '../../lib/words.ts';
import { Screen } from '../../ui/screen.tsx';

function Overview() {
  const say = useWords('overview');
  return (
    <Screen title={say('title')} className="s-overview">
      <p />
    </Screen>
  );
}

export const OverviewScreen = createLazyRoute('/shell/')({ component: Overview });

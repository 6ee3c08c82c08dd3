/** The parts of access. */
import { Link } from '@tanstack/react-router';
import { useTranslations } from '../../lib/words.ts';

const PARTS = [
  ['/keys', 'keys'],
  ['/accounts', 'accounts'],
  ['/sessions', 'sessions'],
  ['/audit', 'audit'],
] as const;

export function AccessTabs() {
  const say = useTranslations('access');
  return (
    <nav className="tabs" aria-label={say('title')}>
      {PARTS.map(([to, word]) => (
        <Link
          key={to}
          to={to}
          search={({ account }) => ({ account })}
          activeProps={{ 'aria-current': 'page' }}
        >
          {say(word)}
        </Link>
      ))}
    </nav>
  );
}

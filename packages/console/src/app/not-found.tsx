/** An address that names nothing. */
import { Link } from '@tanstack/react-router';
import { useTranslations } from '../lib/words.ts';
import { Empty } from '../ui/empty.tsx';
import { Screen } from '../ui/screen.tsx';

export function NotFound() {
  const say = useTranslations('common');
  return (
    <Screen title={say('notFound.title')}>
      <Empty title={say('notFound.words')}>
        <Link to="/" className="button">
          {say('notFound.home')}
        </Link>
      </Empty>
    </Screen>
  );
}

/** An address that names nothing. */
import { Link } from '@tanstack/react-router';
import { useWords } from '../lib/words.ts';
import { Empty } from '../ui/empty.tsx';

export function NotFound() {
  const say = useWords('common');
  return (
    <Empty title={say('notFound.title')} words={say('notFound.words')}>
      <Link to="/" className="btn">
        {say('notFound.home')}
      </Link>
    </Empty>
  );
}

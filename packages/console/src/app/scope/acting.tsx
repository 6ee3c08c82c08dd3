/** Says, above every screen, that an operator acts for somebody else, and leads out of it. */
import { Link } from '@tanstack/react-router';
import { UserRoundCog } from 'lucide-react';
import { useTranslations } from '../../lib/words.ts';
import styles from '../navigation.module.css';
import { useSession } from '../session-context.tsx';
import { useActingAccount } from './use-acted-for.ts';

export function ActingBanner() {
  const say = useTranslations('common');
  const { uid } = useSession();
  const acted = useActingAccount();
  if (acted === undefined || acted.uid === uid) return null;
  return (
    <div className={styles.actingBanner} role="status">
      <UserRoundCog className="icon" aria-hidden />
      <span className="truncate">{say('scope.acting', { email: acted.email })}</span>
      <Link to="/" search={{ account: undefined }} className="link end">
        {say('scope.leave')}
      </Link>
    </div>
  );
}

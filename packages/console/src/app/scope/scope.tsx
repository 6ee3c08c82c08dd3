/** For operators: whose account the screens are about, and choosing another. */
import { Popover } from '@base-ui/react/popover';
import { ChevronsUpDown, UserRoundCog } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from '../../lib/words.ts';
import styles from '../navigation.module.css';
import { useSession } from '../session-context.tsx';
import { Choices } from './choices.tsx';
import { useActingAccount } from './use-acted-for.ts';

export function AccountSwitcher({ chosen }: { readonly chosen?: () => void }) {
  return useSession().operator ? <Chooser chosen={chosen} /> : null;
}

function Chooser({ chosen }: { readonly chosen: (() => void) | undefined }) {
  const say = useTranslations('common');
  const { region, uid } = useSession();
  const acted = useActingAccount();
  const [isOpen, setOpen] = useState(false);
  const isOther = acted !== undefined && acted.uid !== uid;
  const close = () => {
    setOpen(false);
    chosen?.();
  };
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger className={`${styles.accountSwitcher} ${isOther ? styles.other : ''}`}>
        <UserRoundCog className={`icon ${styles.narrowOnly}`} aria-hidden />
        <span className="grow">
          <b className="truncate">{acted?.email ?? say('scope.all')}</b>
          <span className="truncate">
            {acted === undefined
              ? say('scope.all.words', { region })
              : say(isOther ? 'scope.other.words' : 'scope.own.words')}
          </span>
        </span>
        <ChevronsUpDown className="icon icon-small" aria-hidden />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner side="bottom" align="start" sideOffset={4} className="floating">
          <Popover.Popup className={`popover ${styles.switcherPopover}`}>
            <Popover.Title className="visually-hidden">{say('scope.choose')}</Popover.Title>
            <Choices close={close} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

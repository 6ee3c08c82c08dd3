/** A dialog: traps focus, gives it back, closes with Esc. */
import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useWords } from '../lib/words.ts';

export function Dialog({
  title,
  isOpen,
  close,
  children,
  foot,
  wide,
}: {
  readonly title: string;
  readonly isOpen: boolean;
  readonly close: () => void;
  readonly children: ReactNode;
  /** Its buttons; the one that does the thing comes last. */
  readonly foot?: ReactNode;
  readonly wide?: boolean;
}) {
  const say = useWords('common');
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && close()}>
      <Base.Portal>
        <Base.Backdrop className="scrim backdrop" />
        <Base.Popup className={`dialog modal ${wide ? 'wide' : ''}`}>
          <header className="row">
            <Base.Title className="grow">{title}</Base.Title>
            <Base.Close className="copy" aria-label={say('close')}>
              <X className="i" aria-hidden />
            </Base.Close>
          </header>
          <div className="modal-body">{children}</div>
          {foot !== undefined && <footer className="row">{foot}</footer>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** A dialog: traps focus, gives it back, closes with Esc. */
import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { useTranslations } from '../lib/words.ts';

const FIELD = '.modal-body :is(input, select, textarea):not([type=file])';

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
  const say = useTranslations('common');
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && close()}>
      <Base.Portal>
        <Base.Backdrop className="scrim backdrop" />
        <Base.Popup
          ref={popup}
          className={`dialog modal ${wide ? 'wide' : ''}`}
          // The first field, to write at once; on a phone its keyboard would cover the dialog.
          initialFocus={(openedBy) =>
            openedBy === 'touch' ? popup.current : (popup.current?.querySelector<HTMLElement>(FIELD) ?? true)
          }
        >
          <header className="row">
            <Base.Title className="grow">{title}</Base.Title>
            <Base.Close className="copy" aria-label={say('close')}>
              <X className="icon" aria-hidden />
            </Base.Close>
          </header>
          <div className="modal-body">{children}</div>
          {foot !== undefined && <footer className="row">{foot}</footer>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** Finds or does anything: Ctrl K. */
import { Dialog } from '@base-ui/react/dialog';
import { Search } from 'lucide-react';
import { type KeyboardEvent, useId, useState } from 'react';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { useTranslations } from '../../lib/words.ts';
import { useGo } from '../use-go.ts';
import { type PaletteItem, useOffers } from './offers.ts';
import styles from './palette.module.css';

const GROUPS = ['ids', 'go', 'do'] as const;

export function Palette({
  isOpen,
  setOpen,
}: {
  readonly isOpen: boolean;
  readonly setOpen: (open: boolean) => void;
}) {
  const say = useTranslations('common');
  useShortcuts({ 'mod+k': () => setOpen(true) });
  return (
    <Dialog.Root open={isOpen} onOpenChange={setOpen}>
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim backdrop" />
        <Dialog.Popup className={`${styles.palette} popover ${styles.dialog}`}>
          <Dialog.Title className="visually-hidden">{say('palette.title')}</Dialog.Title>
          <Choices close={() => setOpen(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Choices({ close }: { readonly close: () => void }) {
  const say = useTranslations('common');
  const go = useGo();
  const list = useId();
  const [asked, setAsked] = useState('');
  const [at, setAt] = useState(0);
  const offers = useOffers(asked, true);
  const chosen = Math.min(at, offers.length - 1);
  const take = (offer: PaletteItem | undefined, elsewhere: boolean) => {
    if (offer === undefined) return;
    close();
    if (offer.to === undefined) offer.do?.();
    else go(offer.to, elsewhere);
  };
  const pressed = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setAt((chosen + step + offers.length) % Math.max(1, offers.length));
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      take(offers[chosen], event.ctrlKey || event.metaKey);
    }
  };
  return (
    <>
      <div className={styles.query}>
        <Search className="icon" aria-hidden />
        <input
          role="combobox"
          aria-expanded
          aria-controls={list}
          aria-activedescendant={offers.length > 0 ? `${list}-${chosen}` : undefined}
          aria-label={say('palette.title')}
          placeholder={say('palette.title')}
          value={asked}
          onChange={(event) => {
            setAsked(event.target.value);
            setAt(0);
          }}
          onKeyDown={pressed}
          autoComplete="off"
          spellCheck={false}
        />
        <kbd>Esc</kbd>
      </div>
      <div role="listbox" id={list} aria-label={say('palette.title')} className={styles.list}>
        {GROUPS.map((group) => {
          const own = offers
            .map((offer, place) => ({ offer, place }))
            .filter(({ offer }) => offer.group === group);
          return own.length === 0 ? null : (
            // biome-ignore lint/a11y/useSemanticElements: options of a listbox are grouped by role
            <div key={group} role="group" aria-label={say(`palette.${group}`)}>
              <div className={styles.group} aria-hidden>
                {say(`palette.${group}`)}
              </div>
              {own.map(({ offer, place }) => (
                <Choice
                  key={offer.id}
                  offer={offer}
                  id={`${list}-${place}`}
                  isChosen={place === chosen}
                  take={take}
                />
              ))}
            </div>
          );
        })}
        {offers.length === 0 && <p className={styles.group}>{say('palette.nothing')}</p>}
      </div>
      <div className={styles.foot}>
        <span>
          <kbd>↑</kbd>
          <kbd>↓</kbd> {say('palette.move')}
        </span>
        <span>
          <kbd>↵</kbd> {say('palette.open')}
        </span>
        <span>
          <kbd>Ctrl ↵</kbd> {say('palette.newTab')}
        </span>
      </div>
    </>
  );
}

function Choice({
  offer,
  id,
  isChosen,
  take,
}: {
  readonly offer: PaletteItem;
  readonly id: string;
  readonly isChosen: boolean;
  readonly take: (offer: PaletteItem, elsewhere: boolean) => void;
}) {
  const { words, beside, icon: Icon, letter } = offer;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field above hears the keys of the list
    <div
      className={styles.option}
      role="option"
      id={id}
      aria-selected={isChosen}
      tabIndex={-1}
      onClick={(event) => take(offer, event.ctrlKey || event.metaKey)}
    >
      <Icon className="icon" aria-hidden />
      <span className="truncate">{words}</span>
      <span className={styles.hint}>
        {beside}
        {letter !== undefined && <kbd>{letter}</kbd>}
      </span>
    </div>
  );
}

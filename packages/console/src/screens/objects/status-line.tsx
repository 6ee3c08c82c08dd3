/** How much of the folder was read, and the way to read on or to stop. */
import type { ReactNode } from 'react';
import { bytes, milliseconds, number } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { Button } from '../../ui/button.tsx';
import type { Listing, ListingState } from './listing.ts';
import styles from './objects.module.css';

export function StatusLine({
  listing,
  state,
  children,
}: {
  readonly listing: Listing | undefined;
  readonly state: ListingState;
  /** What else can be done with the list. */
  readonly children?: ReactNode;
}) {
  const say = useTranslations('objects');
  const { count, read, folders, isWhole, isReading, isReadingOn } = state;
  const words = say(isWhole ? 'status.whole' : 'status.part', {
    folders: say('folders', { count: folders, number: number(folders) }),
    objects: say('objects', { count: count - folders, number: number(count - folders) }),
    bytes: bytes(state.bytes),
  });
  return (
    <div className={styles.status}>
      <span className={`tabular ${styles.all}`}>{words}</span>
      {isWhole && (
        <span className="quiet truncate desktop-only">
          {say('status.took', { time: milliseconds(state.took) })}
        </span>
      )}
      {!isWhole && !isReading && read > 0 && (
        <Button kind="link" onClick={() => void listing?.readOn()}>
          {say('readOn')}
        </Button>
      )}
      {isReadingOn && (
        <Button kind="link" onClick={() => listing?.stop()}>
          {say('stop')}
        </Button>
      )}
      {read > count && <span className="quiet tabular">{say('status.read', { number: number(read) })}</span>}
      {children}
      {isReading && !isReadingOn && <span className="quiet">{say('reading')}</span>}
      <span className={`quiet end desktop-only ${styles.keys}`}>
        <kbd>J</kbd> <kbd>K</kbd> {say('keys.move')} <kbd>X</kbd> {say('keys.select')} <kbd>↵</kbd>{' '}
        {say('keys.open')}
      </span>
    </div>
  );
}

// biome-ignore-all lint/a11y/useSemanticElements: rows of a table can't be placed freely, and a list of millions must
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and the keys, for all its rows
// biome-ignore-all lint/a11y/useKeyWithClickEvents: as above
/** One row of the list: a folder, an object, or a place whose row is read again. */
import { Folder } from 'lucide-react';
import { type MouseEvent, memo, type ReactNode } from 'react';
import { bytes, number, shortTime, time } from '../../lib/format.ts';
import type { Say } from '../../lib/words.ts';
import { CLASSES, StorageClassIcon } from '../../ui/depth.tsx';
import { kindPicture } from './kinds.tsx';
import type { Row } from './listing.ts';
import styles from './objects.module.css';

/** Made once, as the pictures of kinds are. */
const FOLDER: ReactNode = <Folder className={`icon ${styles.folderIcon}`} aria-hidden />;
const DEPTHS: readonly ReactNode[] = CLASSES.map((type) => <StorageClassIcon key={type} type={type} />);

export interface RowActions {
  readonly open: (index: number, event: MouseEvent) => void;
  readonly choose: (index: number, isRange: boolean) => void;
}

export const ObjectLine = memo(function ObjectLine({
  row,
  index,
  top,
  name,
  hrefOf,
  isCurrent,
  isSelected,
  acts,
  say,
  classes,
}: {
  readonly row: Row | undefined;
  readonly index: number;
  readonly top: number;
  readonly name: string;
  readonly hrefOf: (row: Row) => string;
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  readonly acts: RowActions;
  readonly say: Say<'objects'>;
  /** The names of storage classes. */
  readonly classes: readonly string[];
}) {
  const looks = `${styles.listRow} ${row?.kind === 'folder' ? styles.folderRow : ''} ${isCurrent ? styles.current : ''}`;
  const place = { transform: `translateY(${top}px)` };
  if (row === undefined)
    return (
      <div className={looks} role="row" aria-rowindex={index + 2} style={place}>
        <span className={styles.nameCell} role="gridcell">
          <span className="skeleton" style={{ width: `${30 + ((index * 7) % 40)}%` }} />
        </span>
      </div>
    );
  return (
    <div
      className={looks}
      role="row"
      id={`row-${index}`}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      style={place}
      onClick={(event) => acts.open(index, event)}
    >
      <span className={styles.checkCell} role="gridcell">
        {row.kind === 'object' && (
          <input
            type="checkbox"
            className="check"
            tabIndex={-1}
            checked={isSelected}
            aria-labelledby={`name-${index}`}
            onClick={(event) => {
              event.stopPropagation();
              acts.choose(index, event.shiftKey);
            }}
            onChange={() => undefined}
          />
        )}
      </span>
      <span className={styles.nameCell} role="gridcell">
        {row.kind === 'folder' ? FOLDER : kindPicture(name, row.mimeType)}
        <a href={hrefOf(row)} id={`name-${index}`} tabIndex={-1} className="truncate">
          {name === '' ? <i className="quiet">{say('noName')}</i> : name}
        </a>
      </span>
      {row.kind === 'object' && (
        <>
          <span className={styles.sizeCell} role="gridcell" title={`${number(row.size)} B`}>
            {bytes(row.size)}
          </span>
          <span className={`${styles.classCell} truncate`} role="gridcell">
            {DEPTHS[row.type]}
            {classes[row.type]}
            {row.restore !== undefined && <span className={styles.noClass}>{say(`row.${row.restore}`)}</span>}
            {row.isDisabled && <span className={styles.noClass}>{say('disabled')}</span>}
          </span>
          <span className={styles.timeCell} role="gridcell" title={time(row.at)}>
            {shortTime(row.at)}
          </span>
        </>
      )}
    </div>
  );
});

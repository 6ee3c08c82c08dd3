/** What is chosen, and what can be done with it. */
import { Copy as CopyIcon, CornerDownRight, FileArchive, Layers, Snowflake, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { bytes, number } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { Button } from '../../ui/button.tsx';
import type { BulkAction } from './acts/many.ts';
import { ManyDialog } from './acts/many-dialog.tsx';
import type { ListingState } from './listing.ts';
import styles from './objects.module.css';
import { all, chosenBytes, NOTHING, type Selection } from './selection.ts';

const ACTS = [
  { act: 'zip', icon: FileArchive },
  { act: 'copy', icon: CopyIcon },
  { act: 'move', icon: CornerDownRight },
  { act: 'class', icon: Layers },
  { act: 'restore', icon: Snowflake },
  { act: 'delete', icon: Trash2 },
] as const;

export function SelectionBar({
  bucket,
  prefix,
  begins,
  state,
  isPart,
  selection,
  set,
}: {
  readonly bucket: string;
  readonly prefix: string;
  readonly begins: string;
  readonly state: ListingState;
  /** The list does not show all that there is. */
  readonly isPart: boolean;
  readonly selection: Selection;
  readonly set: (next: Selection) => void;
}) {
  const say = useTranslations('objects');
  const [act, setAct] = useState<BulkAction>();
  const { isAll, chosen } = selection;
  const objects = state.count - state.folders;
  const words = isAll
    ? say('selectedAll', { prefix: `${prefix}${begins}` || '/' })
    : say('selectedSome', {
        count: chosen.size,
        number: number(chosen.size),
        bytes: bytes(chosenBytes(selection)),
      });
  return (
    <div className={styles.selectionBar} role="toolbar" aria-label={say('selection')}>
      <input
        type="checkbox"
        className="check"
        aria-label={say('selectAll')}
        checked={isAll}
        ref={(box) => {
          if (box !== null) box.indeterminate = !isAll;
        }}
        onChange={() => set(isAll ? NOTHING : all())}
      />
      <b className="weight-medium tabular">{words}</b>
      {!isAll && (
        <Button kind="link" onClick={() => set(all())}>
          {state.isWhole && state.folders === 0 && !isPart
            ? say('selectAllOf', { number: number(objects) })
            : say('selectAllUnder')}
        </Button>
      )}
      <span className="grow" />
      {ACTS.map(({ act: each, icon: Icon }) => (
        <Button
          key={each}
          kind="ghost"
          className={each === 'delete' ? 'danger' : ''}
          icon={<Icon className="icon" aria-hidden />}
          onClick={() => setAct(each)}
        >
          {say(`act.${each}`)}
        </Button>
      ))}
      <Button
        kind="ghost"
        icon={<X className="icon" aria-hidden />}
        aria-label={say('selectNone')}
        onClick={() => set(NOTHING)}
      />
      {act !== undefined && (
        <ManyDialog
          act={act}
          bucket={bucket}
          subject={isAll ? { prefix: prefix + begins } : { keys: [...chosen.keys()] }}
          close={() => setAct(undefined)}
          done={() => set(NOTHING)}
        />
      )}
    </div>
  );
}

/** What is chosen, and what can be done with it. */
import { X } from 'lucide-react';
import { bytes, number } from '../../lib/format.ts';
import { useWords } from '../../lib/words.ts';
import { Button } from '../../ui/button.tsx';
import type { ListingState } from './listing.ts';
import { all, chosenBytes, NOTHING, type Selection } from './selection.ts';

export function SelectionBar({
  prefix,
  begins,
  state,
  selection,
  set,
}: {
  readonly prefix: string;
  readonly begins: string;
  readonly state: ListingState;
  readonly selection: Selection;
  readonly set: (next: Selection) => void;
}) {
  const say = useWords('objects');
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
    <div className="selbar" role="toolbar" aria-label={say('selection')}>
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
      <b className="med tnum">{words}</b>
      {!isAll && (
        <Button kind="link" onClick={() => set(all())}>
          {state.isWhole && state.folders === 0
            ? say('selectAllOf', { number: number(objects) })
            : say('selectAllUnder')}
        </Button>
      )}
      <span className="grow" />
      <Button
        kind="ghost"
        icon={<X className="i" aria-hidden />}
        aria-label={say('selectNone')}
        onClick={() => set(NOTHING)}
      />
    </div>
  );
}

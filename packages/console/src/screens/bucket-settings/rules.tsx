/** The rules of a setting, each in words, to be opened and removed. */
import { Pencil, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslations } from '../../lib/words.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Failure } from '../../ui/failure.tsx';
import styles from './bucket-settings.module.css';

export interface RuleItem {
  /** What the reader knows it by; unique unless there is an id. */
  readonly name: string;
  readonly id?: string;
  /** Before all words. */
  readonly mark?: ReactNode;
  readonly head: ReactNode;
  readonly words?: ReactNode;
}

export function Rules<Item extends RuleItem>({
  label,
  items,
  error,
  again,
  empty,
  open,
  remove,
  removes,
}: {
  readonly label: string;
  /** Undefined until they are known. */
  readonly items: readonly Item[] | undefined;
  readonly error: unknown;
  readonly again: () => void;
  readonly empty: ReactNode;
  readonly open?: (name: string) => void;
  readonly remove: (item: Item) => Promise<unknown>;
  /** What follows from removing one. */
  readonly removes: string;
}) {
  const say = useTranslations('bucket-settings');
  const [leaving, setLeaving] = useState<Item>();
  if (error !== null) return <Failure error={error} what={say('notRead')} again={again} />;
  if (items === undefined) return <div className={`skeleton ${styles.rulesSkeleton}`} aria-hidden />;
  return (
    <>
      {items.length === 0 ? (
        empty
      ) : (
        <ul className={styles.rules} aria-label={label}>
          {items.map((item) => (
            <li key={item.id ?? item.name}>
              {item.mark}
              <div className="grow">
                <div className={styles.ruleHead}>{item.head}</div>
                {item.words !== undefined && <p className="soft">{item.words}</p>}
              </div>
              {open !== undefined && (
                <Button
                  kind="ghost"
                  icon={<Pencil className="icon" aria-hidden />}
                  aria-label={say('editOf', { name: item.name })}
                  onClick={() => open(item.name)}
                />
              )}
              <Button
                kind="ghost"
                icon={<Trash2 className="icon" aria-hidden />}
                aria-label={say('removeOf', { name: item.name })}
                onClick={() => setLeaving(item)}
              />
            </li>
          ))}
        </ul>
      )}
      <Confirm
        title={say('removeAsk', { name: leaving?.name ?? '' })}
        act={say('remove')}
        isOpen={leaving !== undefined}
        close={() => setLeaving(undefined)}
        onConfirm={async () => leaving && remove(leaving)}
      >
        <p>{removes}</p>
      </Confirm>
    </>
  );
}

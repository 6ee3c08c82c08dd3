/**
 * Asks before something is done. For one thing that can be undone, a question; for many things, or what can't be undone, the name
 * must be typed. It always says what happens, and until when it can be undone.
 */
import { type ReactNode, useId, useState } from 'react';
import { useTranslations } from '../lib/words.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Failure } from './failure.tsx';
import { useAction } from './use-action.ts';

export function Confirm({
  title,
  children,
  act,
  typed,
  isOpen,
  close,
  onConfirm,
  renews,
}: {
  readonly title: string;
  /** What happens, and until when it can be undone. */
  readonly children: ReactNode;
  /** What the button says: the act itself, never “OK”. */
  readonly act: string;
  /** The name or prefix to type. */
  readonly typed?: string | undefined;
  readonly isOpen: boolean;
  readonly close: () => void;
  readonly onConfirm: () => Promise<unknown>;
  /** What it changes. */
  readonly renews?: readonly (readonly unknown[])[] | undefined;
}) {
  const say = useTranslations('common');
  const id = useId();
  const [text, setText] = useState('');
  const finish = () => {
    setText('');
    confirm.reset();
    close();
  };
  const confirm = useAction({ act: onConfirm, renews, after: finish, failure: 'inline' });
  return (
    <Dialog
      title={title}
      isOpen={isOpen}
      close={finish}
      foot={
        <>
          <span className="grow" />
          <Button onClick={finish}>{say('cancel')}</Button>
          <Button
            kind="solid"
            waits={confirm.isPending}
            disabled={typed !== undefined && text !== typed}
            onClick={() => void confirm.run()}
          >
            {act}
          </Button>
        </>
      }
    >
      {children}
      {typed !== undefined && (
        <div className="field">
          <label className="label" htmlFor={id}>
            {say('confirm.type', { name: typed })}
          </label>
          <input
            id={id}
            className="input large mono"
            value={text}
            onChange={(event) => setText(event.target.value)}
            autoComplete="off"
          />
        </div>
      )}
      {confirm.error !== null && <Failure error={confirm.error} />}
    </Dialog>
  );
}

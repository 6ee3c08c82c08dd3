/**
 * Asks before something is done. For one thing that can be undone, a question; for many things, or what can't be undone, the name
 * must be typed. It always says what happens, and until when it can be undone.
 */
import { type ReactNode, useId, useState } from 'react';
import { useTranslations } from '../lib/words.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Failure } from './failure.tsx';

export function Confirm({
  title,
  children,
  act,
  typed,
  isOpen,
  close,
  onConfirm,
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
}) {
  const say = useTranslations('common');
  const id = useId();
  const [text, setText] = useState('');
  const [state, setState] = useState<{ waits: boolean; error?: unknown }>({ waits: false });
  const finish = () => {
    setText('');
    setState({ waits: false });
    close();
  };
  const confirm = async () => {
    setState({ waits: true });
    try {
      await onConfirm();
      finish();
    } catch (error) {
      setState({ waits: false, error });
    }
  };
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
            waits={state.waits}
            disabled={typed !== undefined && text !== typed}
            onClick={() => void confirm()}
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
      {state.error !== undefined && <Failure error={state.error} />}
    </Dialog>
  );
}

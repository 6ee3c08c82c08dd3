/** A dialog with fields and one act. What was refused stays in it, with the server's words; what was done is told and seen in the list. */
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useWords } from '../../../lib/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { useMessages } from '../../../ui/messages.tsx';
import { changedIn } from '../changes.ts';

export function ActDialog({
  title,
  act,
  kind = 'primary',
  bucket,
  children,
  isReady = true,
  onAct,
  done,
  close,
}: {
  readonly title: string;
  /** What the button says. */
  readonly act: string;
  readonly kind?: 'primary' | 'solid';
  readonly bucket: string;
  readonly children: ReactNode;
  readonly isReady?: boolean;
  readonly onAct: () => Promise<unknown>;
  /** What is told when it was done; undefined: the act tells of it. */
  readonly done?: string;
  readonly close: () => void;
}) {
  const common = useWords('common');
  const form = useId();
  const tell = useMessages();
  const queries = useQueryClient();
  const [state, setState] = useState<{ waits: boolean; error?: unknown }>({ waits: false });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isReady || state.waits) return;
    setState({ waits: true });
    try {
      await onAct();
    } catch (error) {
      return setState({ waits: false, error });
    }
    if (done !== undefined) tell({ words: done });
    changedIn(bucket);
    void queries.invalidateQueries({ queryKey: ['objects'] });
    close();
  };
  return (
    <Dialog
      title={title}
      isOpen
      close={close}
      foot={
        <>
          <span className="grow" />
          <Button onClick={close}>{common('cancel')}</Button>
          <Button kind={kind} type="submit" form={form} waits={state.waits} disabled={!isReady}>
            {act}
          </Button>
        </>
      }
    >
      <form id={form} className="act-form" onSubmit={(event) => void submit(event)}>
        {children}
      </form>
      {state.error !== undefined && <Failure error={state.error} what={common('failure.title')} />}
    </Dialog>
  );
}

/** A dialog with fields and one act. What was refused stays in it, with the server's words; what was done is told and seen in the list. */
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { useMessages } from '../../../ui/messages.tsx';
import { notifyBucketChanged } from '../changes.ts';
import styles from '../objects.module.css';

export function ActionDialog({
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
  const tell = useMessages();
  const queries = useQueryClient();
  const [state, setState] = useState<{ waits: boolean; error?: unknown }>({ waits: false });
  const submit = async () => {
    setState({ waits: true });
    try {
      await onAct();
    } catch (error) {
      return setState({ waits: false, error });
    }
    if (done !== undefined) tell({ words: done });
    notifyBucketChanged(bucket);
    void queries.invalidateQueries({ queryKey: ['objects'] });
    close();
  };
  return (
    <FormDialog
      title={title}
      close={close}
      act={act}
      kind={kind}
      isReady={isReady}
      waits={state.waits}
      onSubmit={submit}
      error={state.error}
      className={styles.actForm}
    >
      {children}
    </FormDialog>
  );
}

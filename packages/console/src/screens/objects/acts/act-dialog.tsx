/** A dialog with fields and one act. What was refused stays in it, with the server's words; what was done is told and seen in the list. */
import type { ReactNode } from 'react';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { useAction } from '../../../ui/use-action.ts';
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
  const { isPending, error, run } = useAction({
    act: onAct,
    done: () => done,
    after() {
      notifyBucketChanged(bucket);
      close();
    },
    renews: [['objects']],
    failure: 'inline',
  });
  return (
    <FormDialog
      title={title}
      close={close}
      act={act}
      kind={kind}
      isReady={isReady}
      waits={isPending}
      onSubmit={() => run()}
      error={error}
      className={styles.actForm}
    >
      {children}
    </FormDialog>
  );
}

/** A dialog with fields and one act. What was refused stays in it, with the server's words. */
import { type FormEvent, type ReactNode, useId } from 'react';
import { useTranslations } from '../lib/words.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Failure } from './failure.tsx';
import styles from './form-dialog.module.css';

export function FormDialog({
  title,
  isOpen = true,
  close,
  act,
  kind = 'primary',
  isReady = true,
  waits = false,
  onSubmit,
  error,
  failed,
  className = 'form',
  hasTwoColumns = false,
  wide = false,
  children,
  below,
  also,
}: {
  readonly title: string;
  readonly isOpen?: boolean;
  readonly close: () => void;
  /** What the button says that does it. */
  readonly act: string;
  readonly kind?: 'primary' | 'solid';
  /** Whether enough was written. */
  readonly isReady?: boolean;
  /** Whether it is being done. */
  readonly waits?: boolean;
  /** Fields that have a name are handed over. */
  readonly onSubmit: (fields: FormData) => unknown;
  readonly error?: unknown;
  /** What could not be done, in words. */
  readonly failed?: string;
  readonly className?: string | undefined;
  /** Its fields stand side by side where there is room. */
  readonly hasTwoColumns?: boolean;
  readonly wide?: boolean;
  /** The fields. */
  readonly children: ReactNode;
  /** The same as a command, for one. */
  readonly below?: ReactNode;
  /** Another act, far from the one that submits. */
  readonly also?: ReactNode;
}) {
  const say = useTranslations('common');
  const form = useId();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // A dialog may be within the form of what needs the new thing.
    event.stopPropagation();
    if (isReady && !waits) onSubmit(new FormData(event.currentTarget));
  };
  return (
    <Dialog
      title={title}
      isOpen={isOpen}
      close={close}
      wide={wide}
      foot={
        <>
          {also}
          <span className="grow" />
          <Button onClick={close}>{say('cancel')}</Button>
          <Button kind={kind} type="submit" form={form} waits={waits} disabled={!isReady}>
            {act}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className={hasTwoColumns ? `${className} ${styles.twoColumns}` : className}
        onSubmit={submit}
      >
        {children}
      </form>
      {error !== undefined && error !== null && <Failure error={error} what={failed} />}
      {below}
    </Dialog>
  );
}

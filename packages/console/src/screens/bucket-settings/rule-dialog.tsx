/** A dialog with the form of one rule. It closes when the server has taken the rule. */
import type { ReactNode } from 'react';
import { useTranslations } from '../../lib/words.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useAction } from '../../ui/use-action.ts';
import styles from './bucket-settings.module.css';

export function RuleDialog({
  title,
  close,
  save,
  children,
  also,
}: {
  readonly title: string;
  readonly close: () => void;
  readonly save: () => Promise<unknown>;
  readonly children: ReactNode;
  /** Beside the buttons. */
  readonly also?: ReactNode;
}) {
  const say = useTranslations('bucket-settings');
  const saving = useAction({ act: save, after: close, failure: 'inline' });
  return (
    <FormDialog
      wide
      title={title}
      close={close}
      act={say('save')}
      waits={saving.isPending}
      onSubmit={() => saving.run()}
      error={saving.error}
      failed={say('notSaved')}
      className={styles.ruleForm}
      also={also}
    >
      {children}
    </FormDialog>
  );
}

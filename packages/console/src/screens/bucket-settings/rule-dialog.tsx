/** A dialog with the form of one rule. It closes when the server has taken the rule. */
import { type ReactNode, useState } from 'react';
import { useTranslations } from '../../lib/words.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
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
  const [state, setState] = useState<{ waits: boolean; error?: unknown }>({ waits: false });
  const submit = async () => {
    setState({ waits: true });
    try {
      await save();
      close();
    } catch (error) {
      setState({ waits: false, error });
    }
  };
  return (
    <FormDialog
      wide
      title={title}
      close={close}
      act={say('save')}
      waits={state.waits}
      onSubmit={submit}
      error={state.error}
      failed={say('notSaved')}
      className={styles.ruleForm}
      also={also}
    >
      {children}
    </FormDialog>
  );
}

/** A dialog with the form of one rule. It closes when the server has taken the rule. */
import { type ReactNode, useId, useState } from 'react';
import { useWords } from '../../lib/words.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';

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
  const common = useWords('common');
  const say = useWords('bucket-settings');
  const id = useId();
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
    <Dialog
      title={title}
      isOpen
      wide
      close={close}
      foot={
        <>
          {also}
          <span className="grow" />
          <Button onClick={close}>{common('cancel')}</Button>
          <Button kind="primary" type="submit" form={id} waits={state.waits}>
            {say('save')}
          </Button>
        </>
      }
    >
      <form
        id={id}
        className="rule-form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {children}
      </form>
      {state.error !== undefined && <Failure error={state.error} what={say('notSaved')} />}
    </Dialog>
  );
}

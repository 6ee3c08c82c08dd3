/** Takes the list to a name, without reading what comes before it. */
import { useState } from 'react';
import { useTranslations } from '../../lib/words.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import styles from './objects.module.css';

export function GoTo({
  start,
  go,
}: {
  readonly start: string;
  /** Empty: to the top. */
  readonly go: (start: string) => void;
}) {
  const say = useTranslations('objects');
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState(start);
  const close = () => setOpen(false);
  return (
    <>
      {start !== '' && (
        <>
          <span className="truncate">{say('goTo.from', { name: start })}</span>
          <Button kind="link" onClick={() => go('')}>
            {say('goTo.top')}
          </Button>
        </>
      )}
      <Button
        kind="link"
        onClick={() => {
          setText(start);
          setOpen(true);
        }}
      >
        {say('goTo.open')}
      </Button>
      <FormDialog
        title={say('goTo.title')}
        isOpen={isOpen}
        close={close}
        act={say('goTo.act')}
        onSubmit={() => {
          close();
          go(text);
        }}
        className={styles.actForm}
      >
        <TextField
          label={say('goTo.name')}
          hint={say('goTo.hint')}
          className="input large mono"
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </FormDialog>
    </>
  );
}

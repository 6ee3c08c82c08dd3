/** A form for a new pipeline. */
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useClient } from '../../app/session-context.tsx';
import { useWords } from '../../lib/words.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { TextField } from '../../ui/field.tsx';
import { useMessages } from '../../ui/messages.tsx';
import { MOST_AT_ONCE } from './use-pipelines.ts';

export function NewPipeline({ isOpen, close }: { readonly isOpen: boolean; readonly close: () => void }) {
  const say = useWords('pipelines');
  const common = useWords('common');
  const client = useClient();
  const queries = useQueryClient();
  const tell = useMessages();
  const [state, setState] = useState<{ waits: boolean; error?: unknown }>({ waits: false });
  const create = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const name = textOf(fields, 'name');
    setState({ waits: true });
    try {
      await client.processing.putPipeline(name, Number(textOf(fields, 'concurrency')));
      await queries.invalidateQueries({ queryKey: ['pipelines'] });
      tell({ words: say('new.done', { name }) });
      setState({ waits: false });
      close();
    } catch (error) {
      setState({ waits: false, error });
    }
  };
  return (
    <Dialog
      title={say('new.title')}
      isOpen={isOpen}
      close={close}
      foot={
        <>
          <span className="grow" />
          <Button onClick={close}>{common('cancel')}</Button>
          <Button kind="primary" type="submit" form="new-pipeline" waits={state.waits}>
            {say('new.act')}
          </Button>
        </>
      }
    >
      <form id="new-pipeline" className="form" onSubmit={(event) => void create(event)}>
        <TextField
          label={say('name')}
          hint={say('nameHint')}
          name="name"
          required
          pattern="[A-Za-z0-9_\-]{1,64}"
          autoComplete="off"
          spellCheck={false}
        />
        <TextField
          label={say('concurrency')}
          hint={say('concurrencyHint')}
          name="concurrency"
          type="number"
          min={1}
          max={MOST_AT_ONCE}
          defaultValue={4}
          required
        />
      </form>
      {state.error !== undefined && <Failure error={state.error} what={say('new.failed')} />}
    </Dialog>
  );
}

function textOf(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === 'string' ? value : '';
}

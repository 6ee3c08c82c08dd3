/** A form for a new pipeline. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../../app/session-context.tsx';
import { useTranslations } from '../../lib/words.ts';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useMessages } from '../../ui/messages.tsx';
import { MOST_AT_ONCE } from './use-pipelines.ts';

export function NewPipeline({ isOpen, close }: { readonly isOpen: boolean; readonly close: () => void }) {
  const say = useTranslations('pipelines');
  const client = useClient();
  const queries = useQueryClient();
  const tell = useMessages();
  const [state, setState] = useState<{ waits: boolean; error?: unknown }>({ waits: false });
  const create = async (fields: FormData) => {
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
    <FormDialog
      title={say('new.title')}
      isOpen={isOpen}
      close={close}
      act={say('new.act')}
      waits={state.waits}
      onSubmit={create}
      error={state.error}
      failed={say('new.failed')}
    >
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
    </FormDialog>
  );
}

function textOf(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === 'string' ? value : '';
}

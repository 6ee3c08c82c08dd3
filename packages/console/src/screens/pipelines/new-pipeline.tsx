/** A form for a new pipeline. */
import { useClient } from '../../app/session-context.tsx';
import { useTranslations } from '../../lib/words.ts';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useAction } from '../../ui/use-action.ts';
import { MOST_AT_ONCE } from './use-pipelines.ts';

export function NewPipeline({ isOpen, close }: { readonly isOpen: boolean; readonly close: () => void }) {
  const say = useTranslations('pipelines');
  const client = useClient();
  const create = useAction({
    act: ({ name, concurrency }: { readonly name: string; readonly concurrency: number }) =>
      client.processing.putPipeline(name, concurrency),
    done: (_pipeline, { name }) => say('new.done', { name }),
    after: close,
    renews: [['pipelines']],
    failure: 'inline',
  });
  return (
    <FormDialog
      title={say('new.title')}
      isOpen={isOpen}
      close={close}
      act={say('new.act')}
      waits={create.isPending}
      onSubmit={(fields) =>
        create.run({ name: textOf(fields, 'name'), concurrency: Number(textOf(fields, 'concurrency')) })
      }
      error={create.error}
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

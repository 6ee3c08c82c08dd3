/** The form for a new bucket. Its name can't be changed later, and is part of URLs. */
import { isBucketName } from '@millpond/protocol';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '../../app/session-context.tsx';
import { useCurl } from '../../lib/curl.ts';
import { useTranslations } from '../../lib/words.ts';
import { CommandTabs } from '../../ui/as-command.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useAction } from '../../ui/use-action.ts';
import styles from './buckets.module.css';

export function CreateBucket({ isOpen, close }: { readonly isOpen: boolean; readonly close: () => void }) {
  const say = useTranslations('buckets');
  const { client, region: own, account } = useSession();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [region, setRegion] = useState(own);
  const [isPrivate, setPrivate] = useState(true);
  const { data: regions } = useQuery({
    queryKey: ['buckets', account, 'regions'],
    queryFn: ({ signal }) => client.buckets.regions({ signal }),
    enabled: isOpen,
  });
  const create = useAction({
    act: () => client.buckets.create(name, region, { private: isPrivate }),
    after: () =>
      navigate({
        to: '/buckets/$bucket/objects/$',
        params: { bucket: name, _splat: '' },
        search: { account },
      }),
    renews: [['buckets']],
    failure: 'inline',
  });
  const fault = name === '' || isBucketName(name) ? undefined : say('nameRule');
  return (
    <FormDialog
      title={say('createTitle')}
      isOpen={isOpen}
      close={close}
      act={say('create')}
      isReady={isBucketName(name)}
      waits={create.isPending}
      onSubmit={() => create.run()}
      error={create.error}
      failed={say('notCreated', { bucket: name })}
      className={styles.create}
      below={<Command name={name || 'my-bucket'} region={region} isPrivate={isPrivate} />}
    >
      <TextField
        label={say('name')}
        hint={say('nameRule')}
        fault={fault}
        value={name}
        onChange={({ target }) => setName(target.value)}
        autoComplete="off"
        spellCheck={false}
      />
      <SelectField
        label={say('region')}
        value={region}
        onChange={({ target }) => setRegion(target.value)}
        options={(regions?.regions ?? [{ id: own, description: own }]).map(({ id, description }) => ({
          value: id,
          words: description === id ? id : `${id} · ${description}`,
        }))}
      />
      <fieldset className={styles.reading}>
        <legend className="label">{say('read')}</legend>
        <Choice isChosen={isPrivate} choose={() => setPrivate(true)} name="private" />
        <Choice isChosen={!isPrivate} choose={() => setPrivate(false)} name="public" />
      </fieldset>
    </FormDialog>
  );
}

function Choice({
  name,
  isChosen,
  choose,
}: {
  readonly name: 'private' | 'public';
  readonly isChosen: boolean;
  readonly choose: () => void;
}) {
  const say = useTranslations('buckets');
  return (
    <label className="radio">
      <input type="radio" name="reading" checked={isChosen} onChange={choose} />
      <span>
        <b>{say(name)}</b>
        <span>{say(`reading.${name}`)}</span>
      </span>
    </label>
  );
}

function Command({
  name,
  region,
  isPrivate,
}: {
  readonly name: string;
  readonly region: string;
  readonly isPrivate: boolean;
}) {
  const curl = useCurl();
  const target = `/mkbucketv3/${name}/region/${region}${isPrivate ? '/private/true' : ''}`;
  return (
    <CommandTabs
      commands={{
        curl: curl({ role: 'uc', method: 'POST', target }),
        cli: `millpond bucket create :${name} --region ${region}${isPrivate ? ' --private' : ''}`,
        sdk: `await client.buckets.create('${name}', '${region}'${isPrivate ? ', { private: true }' : ''});`,
      }}
    />
  );
}

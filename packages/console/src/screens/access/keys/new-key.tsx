/** A new access key. Its secret is shown once, here, and leaves the page with this dialog. */
import type { NewKey as NewKeyRecord } from '@millpond/client/session';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../../../app/session-context.tsx';
import { useTranslations } from '../../../lib/words.ts';
import { CommandTabs } from '../../../ui/as-command.tsx';
import { Button } from '../../../ui/button.tsx';
import { Copy } from '../../../ui/copy.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Segments } from '../../../ui/segments.tsx';
import { useAction } from '../../../ui/use-action.ts';
import styles from '../access.module.css';
import { LimitFields } from './limit-fields.tsx';
import { limitsOf, missingIn, writtenOf } from './limit-words.ts';

export function NewKey({ close }: { readonly close: () => void }) {
  const [made, setMade] = useState<NewKeyRecord | undefined>();
  return made === undefined ? <Make close={close} onMade={setMade} /> : <Made made={made} close={close} />;
}

function Make({
  close,
  onMade,
}: {
  readonly close: () => void;
  readonly onMade: (made: NewKeyRecord) => void;
}) {
  const say = useTranslations('access');
  const common = useTranslations('common');
  const { client } = useSession();
  const [kind, setKind] = useState<'limited' | 'whole'>('limited');
  const [note, setNote] = useState('');
  const [written, setWritten] = useState(() => writtenOf({ actions: ['read', 'list'] }));
  const [isTried, setTried] = useState(false);
  const missing = kind === 'limited' ? missingIn(written) : undefined;
  const { run, isPending, error } = useAction({
    act: () =>
      client.accounts.createKey(
        kind === 'limited' ? { note, limits: limitsOf(written) } : { note, kind: 'root' },
      ),
    after: onMade,
    renews: [['access']],
    failure: 'inline',
    // Nothing is kept of the answer but what the dialog shows.
    isSecret: true,
  });
  return (
    <Dialog
      title={say('keys.new')}
      isOpen
      close={close}
      foot={
        <>
          <span className="grow" />
          <Button onClick={close}>{common('cancel')}</Button>
          <Button
            kind="primary"
            waits={isPending}
            onClick={() => {
              setTried(true);
              if (missing === undefined) void run();
            }}
          >
            {say('keys.make')}
          </Button>
        </>
      }
    >
      <Segments
        label={say('kind')}
        value={kind}
        options={[
          { value: 'limited', words: say('keys.new.limited') },
          { value: 'whole', words: say('keys.new.whole') },
        ]}
        onChange={setKind}
      />
      <p className="soft">{say(`keys.new.${kind}.words`)}</p>
      <TextField
        label={say('note')}
        hint={say('note.hint')}
        maxLength={100}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      {kind === 'limited' && (
        <LimitFields value={written} missing={isTried ? missing : undefined} onChange={setWritten} />
      )}
      {error !== null && <Failure error={error} />}
    </Dialog>
  );
}

function Made({ made, close }: { readonly made: NewKeyRecord; readonly close: () => void }) {
  const say = useTranslations('access');
  const { hosts } = useSession();
  const [isStored, setStored] = useState(false);
  const endpoint = hosts.api ?? location.origin;
  return (
    <Dialog
      title={say('keys.new')}
      isOpen
      // Only the button below ends it: a secret that was closed by mistake is lost.
      close={() => undefined}
      foot={
        <>
          <label className="row grow">
            <input
              type="checkbox"
              className="check"
              checked={isStored}
              onChange={() => setStored(!isStored)}
            />
            <span>{say('stored')}</span>
          </label>
          <Button kind="primary" disabled={!isStored} onClick={close}>
            {say('done')}
          </Button>
        </>
      }
    >
      <p className="note warn">
        <TriangleAlert className="icon" aria-hidden />
        {say('secret.once')}
      </p>
      <div className="field">
        <span className="label">{say('key')}</span>
        <div className={styles.secretValue}>
          <code className="truncate">{made.key}</code>
          <Copy text={made.key} />
        </div>
      </div>
      <div className="field">
        <span className="label">{say('secret')}</span>
        <div className={`${styles.secretValue} ${styles.secret}`}>
          <code className="truncate">{made.secret}</code>
          <Copy text={made.secret} label={say('secret.copy')} />
        </div>
      </div>
      <CommandTabs
        commands={{
          curl: `# for any S3 client\nexport AWS_ACCESS_KEY_ID=${made.key}\nexport AWS_SECRET_ACCESS_KEY=${made.secret}`,
          cli: `export MILLPOND_ENDPOINT=${endpoint}\nexport MILLPOND_ACCESS_KEY=${made.key}\nexport MILLPOND_SECRET_KEY=${made.secret}\nmillpond ls :`,
          sdk: `new Client({\n  url: '${endpoint}',\n  credentials: { accessKey: '${made.key}', secretKey: '${made.secret}' },\n});`,
        }}
      />
    </Dialog>
  );
}

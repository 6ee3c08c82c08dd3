/** The policy tried with a real file: a token is made for it, and the answer shown is the one that the uploader gets. */
import type { PolicyFields } from '@millpond/protocol';
import { Upload } from 'lucide-react';
import { useId, useState } from 'react';
import { useClient } from '../../../app/session-context.tsx';
import { bytes } from '../../../lib/format.ts';
import { useTranslations } from '../../../lib/words.ts';
import { Button } from '../../../ui/button.tsx';
import { StatusMark } from '../../../ui/mark.tsx';
import { useAction } from '../../../ui/use-action.ts';
import styles from '../tokens.module.css';
import { Answer } from './answer.tsx';
import type { CheckStep } from './judge.ts';
import { simulateUpload } from './judge.ts';
import { Refusals } from './refusals.tsx';

export function TryPane({
  policy,
  deadline,
  isReady,
}: {
  readonly policy: PolicyFields & { readonly scope: string };
  readonly deadline: number;
  /** Whether the policy can be signed at all. */
  readonly isReady: boolean;
}) {
  const say = useTranslations('tokens');
  const client = useClient();
  const id = useId();
  const [file, setFile] = useState<File>();
  const [key, setKey] = useState('');
  const [done, setDone] = useState(0);
  const name = key === '' ? undefined : key;
  const tried = useAction({
    async act(content: File) {
      setDone(0);
      // What is tried need not stay.
      const short = policy.deleteAfterDays === undefined ? { deleteAfterDays: 1 } : {};
      const { token } = await client.signing.uploadToken({ ...policy, ...short, deadline });
      const begun = performance.now();
      const result = await client.uploader().upload(content, {
        token,
        key: name,
        onProgress: ({ done: sent }) => setDone(sent),
        retry: { tries: 1 },
      });
      return { result, ms: performance.now() - begun };
    },
    failure: 'inline',
    isSecret: true,
  });
  const choose = (chosen: File | undefined) => {
    if (chosen === undefined) return;
    setFile(chosen);
    tried.reset();
  };
  return (
    <section className={`pane ${styles.tryPane}`} aria-label={say('try')}>
      <div className="pane-head">
        <h2>{say('try')}</h2>
        <span className="quiet text-small">{say('tryWords')}</span>
      </div>
      <div className={`scroll ${styles.paneBody}`}>
        <label
          className={styles.drop}
          htmlFor={id}
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => {
            event.preventDefault();
            choose(event.dataTransfer.files[0]);
          }}
        >
          <Upload className="icon" aria-hidden />
          <span className="grow truncate">
            {file === undefined ? say('drop') : file.name}{' '}
            {file !== undefined && <span className="quiet">{bytes(file.size)}</span>}
          </span>
          <span className="link">{say(file === undefined ? 'choose' : 'another')}</span>
          <input
            id={id}
            type="file"
            className="visually-hidden"
            onChange={(event) => choose(event.target.files?.[0])}
          />
        </label>
        <label className={`field ${styles.key}`}>
          <span>
            {say('tryKey')}
            <span className="optional">{say('tryKeyHint')}</span>
          </span>
          <input
            className="input mono"
            value={key}
            onChange={(event) => setKey(event.target.value)}
            spellCheck={false}
            autoComplete="off"
          />
        </label>
        {file !== undefined && (
          <>
            <ul className={styles.steps}>
              {isReady &&
                simulateUpload({ ...policy, deadline }, name, file.size).map((step) => (
                  <TryStep key={step.name} {...step} />
                ))}
              {tried.isPending && <TryStep name="stored" state="busy" values={{ done: bytes(done) }} />}
            </ul>
            <Button
              className={styles.tryAct}
              disabled={!isReady}
              waits={tried.isPending}
              onClick={() => void tried.run(file)}
            >
              {say('upload')}
            </Button>
            <Answer policy={policy} outcome={tried.output} error={tried.error} />
          </>
        )}
        <Refusals policy={policy} deadline={deadline} />
      </div>
    </section>
  );
}

function TryStep({ name, state, word, values }: CheckStep) {
  const say = useTranslations('tokens');
  return (
    <li>
      <StatusMark state={state} />
      <b>{say(`step.${name}`)}</b>
      <span>{say(word === undefined ? 'step.sending' : `step.${word}`, values)}</span>
    </li>
  );
}

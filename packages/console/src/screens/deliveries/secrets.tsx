/** The secrets that sign events, and exchanging them without a gap. They stay hidden until somebody asks. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../../app/session-context.tsx';
import { shortTime } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Countdown } from '../../ui/countdown.tsx';
import { StatusMark } from '../../ui/mark.tsx';
import { useAction } from '../../ui/use-action.ts';
import styles from './deliveries.module.css';

/** Of a secret, enough to tell it from another. */
const SHOWN = 10;

export function Secrets() {
  const say = useTranslations('deliveries');
  const { client, account } = useSession();
  const [isAsked, setAsked] = useState(false);
  const [isShown, setShown] = useState(false);
  const key = ['deliveries', account, 'secrets'];
  const { data } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => client.accounts.webhookSecrets({ signal }),
    enabled: isShown,
    // A secret is not kept when nobody looks at it.
    gcTime: 0,
  });
  const exchange = useAction({
    act: () => client.accounts.exchangeWebhookSecret(),
    renews: [key],
    failure: 'inline',
  });
  return (
    <section className={styles.secret} aria-labelledby="secrets">
      <div className="section-head">
        <h2 id="secrets">{say('secrets')}</h2>
        <Button kind="link" className="end" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {say(isShown ? 'secrets.hide' : 'secrets.show')}
        </Button>
        <Button kind="link" onClick={() => setAsked(true)}>
          {say('secrets.exchange')}
        </Button>
      </div>
      <p className="text-small soft">{say('secrets.words')}</p>
      {isShown && (
        <ul>
          {data?.map(({ id, secret, created, retires }) => (
            <li key={id}>
              <StatusMark state={retires === undefined ? 'ok' : 'busy'} />
              <code>{`${secret.slice(0, SHOWN)}…`}</code>
              <span className="end text-small quiet nowrap">
                {retires === undefined ? (
                  say('secrets.since', { time: shortTime(created) })
                ) : (
                  <>
                    {say('secrets.retires')} <Countdown until={Date.parse(retires)} />
                  </>
                )}
              </span>
              <Copy text={secret} label={say('secrets.copy')} />
            </li>
          ))}
        </ul>
      )}
      <Confirm
        title={say('secrets.exchange.title')}
        act={say('secrets.exchange.do')}
        isOpen={isAsked}
        close={() => setAsked(false)}
        onConfirm={() => exchange.attempt()}
      >
        <p className="soft">{say('secrets.exchange.words')}</p>
      </Confirm>
    </section>
  );
}

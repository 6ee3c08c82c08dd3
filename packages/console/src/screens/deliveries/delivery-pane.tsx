/** One delivery: every attempt with what was sent and answered, and sending it again. */
import type { DeliveryDetail } from '@millpond/client/session';
import { Link } from '@tanstack/react-router';
import { ArrowLeft, Send } from 'lucide-react';
import { useScreenActions } from '../../app/palette/screen-acts.tsx';
import { useSession } from '../../app/session-context.tsx';
import { useCurl } from '../../lib/curl.ts';
import { useTranslations } from '../../lib/words.ts';
import { CommandTabs } from '../../ui/as-command.tsx';
import { Button } from '../../ui/button.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Failure } from '../../ui/failure.tsx';
import { StatusMark } from '../../ui/mark.tsx';
import { useAction } from '../../ui/use-action.ts';
import { WaitsFor } from '../../ui/waits-for.tsx';
import { Attempts } from './attempts.tsx';
import styles from './deliveries.module.css';
import { kindOf, MARKS } from './delivery-row.tsx';
import { Exchange } from './exchange.tsx';
import { useDelivery } from './queries.ts';
import type { DeliveriesSearch } from './search.ts';

export function DeliveryPane({
  id,
  search,
}: {
  readonly id: string | undefined;
  readonly search: DeliveriesSearch;
}) {
  const say = useTranslations('deliveries');
  const { data, error, refetch } = useDelivery(id);
  if (id === undefined)
    return (
      <section className={`pane ${styles.deliveryPane}`} aria-label={say('one')}>
        <p className={`soft ${styles.nothing}`}>{say('choose')}</p>
      </section>
    );
  if (error !== null && data === undefined)
    return (
      <section className={`pane ${styles.deliveryPane}`} aria-label={say('one')}>
        <Failure error={error} what={say('one.failed')} again={() => void refetch()} />
      </section>
    );
  return data === undefined ? (
    <section className={`pane ${styles.deliveryPane}`} aria-label={say('one')} aria-busy />
  ) : (
    <Shown delivery={data} search={search} />
  );
}

function Shown({
  delivery,
  search,
}: {
  readonly delivery: DeliveryDetail;
  readonly search: DeliveriesSearch;
}) {
  const say = useTranslations('deliveries');
  const curl = useCurl();
  const { id, kind, state, subject, sequence, attempts, reqid } = delivery;
  const shown = attempts.find(({ attempt }) => attempt === search.try) ?? attempts.at(-1);
  return (
    <section className={`pane ${styles.deliveryPane}`} aria-labelledby="delivery">
      <div className="pane-head">
        <Link
          to="/deliveries"
          search={({ account }) => ({ account, endpoint: search.endpoint, state: search.state })}
          className="button icon-only ghost phone-only"
          aria-label={say('back')}
        >
          <ArrowLeft className="icon" aria-hidden />
        </Link>
        <StatusMark state={MARKS[state]} label={say(`state.${state}`)} />
        <h2 id="delivery" className="nowrap">
          {say(`kind.${kindOf(kind)}`)}
        </h2>
        <span className="truncate soft">{subject}</span>
        {sequence !== undefined && <span className="quiet tabular">#{sequence}</span>}
        <span className="end" />
        <Resend id={id} />
      </div>
      <div className="scroll">
        <div className={styles.summary}>
          <p>
            <Standing delivery={delivery} />
          </p>
          <p className="row text-small quiet">
            <code>{id}</code>
            <Copy text={id} />
            <Link
              to="/requests/$reqid"
              params={{ reqid }}
              search={({ account }) => ({ account })}
              className="mono"
            >
              {reqid}
            </Link>
          </p>
        </div>
        <Attempts attempts={attempts} open={shown?.attempt} />
        <div className={styles.bodies}>
          <Exchange delivery={delivery} attempt={shown} />
          <div className={styles.bodyHead}>
            <h3>{say('same')}</h3>
          </div>
          <CommandTabs
            commands={{
              curl: curl({ role: 'api', method: 'POST', target: `/v1/deliveries/${id}/resend` }),
              cli: `millpond deliveries resend ${id}`,
              sdk: `await client.deliveries.resend('${id}');`,
            }}
          />
        </div>
      </div>
    </section>
  );
}

function Standing({ delivery: { state, waitingFor, attempts } }: { readonly delivery: DeliveryDetail }) {
  const say = useTranslations('deliveries');
  if (state === 'delivered') return say('standing.delivered', { count: attempts.length });
  if (state === 'failed') return say('standing.failed', { count: attempts.length });
  if (state === 'unsent') return say('standing.unsent');
  return waitingFor === undefined ? say('standing.sending') : <WaitsFor waitingFor={waitingFor} />;
}

function Resend({ id }: { readonly id: string }) {
  const say = useTranslations('deliveries');
  const { client } = useSession();
  const { run, isPending } = useAction({
    act: () => client.deliveries.resend(id),
    done: () => say('resent'),
    renews: [['deliveries']],
  });
  useScreenActions([{ words: say('resend'), icon: Send, letter: 'S', do: () => void run() }]);
  return (
    <Button
      kind="primary"
      icon={<Send className="icon" aria-hidden />}
      letter="S"
      waits={isPending}
      onClick={() => void run()}
    >
      {say('resend')}
    </Button>
  );
}

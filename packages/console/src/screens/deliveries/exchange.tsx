/** What went out in an attempt and what came back, as it was: never as HTML. */
import type { DeliveryDetail } from '@millpond/client/session';
import { Info } from 'lucide-react';
import { bytes } from '../../lib/format.ts';
import { useTranslations } from '../../lib/words.ts';
import { Copy } from '../../ui/copy.tsx';
import { adviceOf } from './advice.ts';
import styles from './deliveries.module.css';

export function Exchange({
  delivery,
  attempt,
}: {
  readonly delivery: DeliveryDetail;
  readonly attempt: DeliveryDetail['attempts'][number] | undefined;
}) {
  const say = useTranslations('deliveries');
  const { body, contentType } = delivery;
  const url = URL.parse(attempt?.url ?? delivery.url);
  const headers = headersText({
    host: url?.host ?? '',
    ...(attempt?.request?.headers ?? { 'content-type': contentType }),
  });
  const head = `POST ${url?.pathname ?? ''}${url?.search ?? ''} HTTP/1.1\n${headers}`;
  const answer = attempt?.answer;
  const answered =
    answer && `HTTP/1.1 ${answer.status}\n${headersText(answer.headers ?? {})}\n\n${answer.body}`;
  const advice = attempt && adviceOf(attempt);
  return (
    <>
      <div className={styles.bodyHead}>
        <h3>{say('request')}</h3>
        <span className="text-small quiet">{bytes(new Blob([body]).size)}</span>
        <span className="end" />
        <Copy text={`${head}\n\n${body}`} label={say('request.copy')} />
      </div>
      <div className="code">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so a keyboard must reach it */}
        <pre tabIndex={0}>{`${head}\n\n${pretty(body, contentType)}`}</pre>
      </div>
      <div className={styles.bodyHead}>
        <h3>{say('response')}</h3>
        <span className="text-small quiet">{say('response.kept')}</span>
        <span className="end" />
        {answered !== undefined && <Copy text={answered} label={say('response.copy')} />}
      </div>
      <div className="code">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so a keyboard must reach it */}
        <pre tabIndex={0}>{answered ?? attempt?.error ?? say('response.none')}</pre>
      </div>
      {advice !== undefined && (
        <div className="note accent">
          <Info className="icon" aria-hidden />
          <span>{say(`advice.${advice}`)}</span>
        </div>
      )}
    </>
  );
}

function headersText(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

function pretty(body: string, contentType: string): string {
  if (!contentType.includes('json')) return body;
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

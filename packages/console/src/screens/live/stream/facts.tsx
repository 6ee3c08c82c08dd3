/** Who publishes a stream, what comes in, where it goes, and its addresses. */
import type { NamespaceRecord, StreamRecord } from '@millpond/client/session';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { number, time } from '../../../lib/format.ts';
import { useTranslations } from '../../../lib/words.ts';
import { Chart } from '../../../ui/chart.tsx';
import { Copy } from '../../../ui/copy.tsx';
import styles from '../live.module.css';
import { useFigures, useTemplates } from '../queries.ts';
import { bitrate } from '../stream-state.ts';
import { type DayFacts, useUrls } from './use-day.ts';

interface Props {
  readonly stream: Omit<StreamRecord, 'key'>;
  readonly namespace: NamespaceRecord | undefined;
  readonly day: DayFacts | undefined;
}

export function Facts({ stream, namespace, day }: Props) {
  const say = useTranslations('live');
  const { nsId, streamId, status, lastPushedAt } = stream;
  const { data: figures } = useFigures(nsId, streamId, status);
  const publisher = day?.publishers.find(({ end }) => end === undefined);
  const now = figures?.now;
  const size = now?.width === undefined ? '' : `${now.width}×${now.height}`;
  return (
    <div className={styles.streamFacts}>
      <dl className="key-values">
        <dt>{say('fact.publisher')}</dt>
        <dd>
          {publisher !== undefined ? (
            <span className="mono truncate">{publisher.clientIp}</span>
          ) : (
            <span className="quiet">
              {lastPushedAt === 0
                ? say('fact.nobodyYet')
                : say('fact.last', { at: time(lastPushedAt * 1000) })}
            </span>
          )}
        </dd>
        {now !== undefined && (
          <>
            <dt>{say('fact.picture')}</dt>
            <dd className="tabular">
              {[now.videoCodec, size].filter(Boolean).join(' ') || say('fact.noPicture')}
              {now.fps !== undefined && <span>{say('fact.fps', { fps: number(now.fps, 1) })}</span>}
            </dd>
            <dt>{say('fact.sound')}</dt>
            <dd>{now.audioCodec ?? say('fact.noSound')}</dd>
          </>
        )}
        <Kept kind="record" stream={stream} namespace={namespace} />
        <Kept kind="snapshot" stream={stream} namespace={namespace} />
        <Addresses ns={nsId} stream={streamId} isForStreams={namespace?.accessType !== 'gb28181'} />
      </dl>
      {figures !== undefined && figures.minutes.length > 1 && <Ingest minutes={figures.minutes} />}
    </div>
  );
}

/** Where recordings or snapshots go, by the template that counts. */
function Kept({
  kind,
  stream,
  namespace,
}: Pick<Props, 'stream' | 'namespace'> & { readonly kind: 'record' | 'snapshot' }) {
  const say = useTranslations('live');
  const { data: templates } = useTemplates();
  const [own, common] = [stream[`${kind}TemplateId`], namespace?.[`${kind}TemplateId`] ?? ''];
  const id = namespace?.[`${kind}TemplateApplyAll`] ? common || own : own || common;
  const template = templates?.find((each) => each.id === id);
  return (
    <>
      <dt>{say(`fact.${kind}`)}</dt>
      <dd>
        {template === undefined ? (
          <Link
            to="/live/$ns"
            params={{ ns: stream.nsId }}
            search={({ account }) => ({ account, pane: 'settings' as const })}
            className="quiet"
          >
            {say('fact.notKept')}
          </Link>
        ) : (
          <>
            <Link
              to="/buckets/$bucket/objects/$"
              params={{ bucket: template.bucket, _splat: '' }}
              search={({ account }) => ({ account })}
              className="truncate"
            >
              {template.bucket}
            </Link>
            <span className="quiet text-small">
              {template.deleteAfterDays === 0
                ? say('fact.forEver')
                : say('fact.days', { count: template.deleteAfterDays })}
            </span>
          </>
        )}
      </dd>
    </>
  );
}

function Addresses({
  ns,
  stream,
  isForStreams,
}: {
  readonly ns: string;
  readonly stream: string;
  readonly isForStreams: boolean;
}) {
  const say = useTranslations('live');
  const { data, error } = useUrls(ns, stream);
  if (error !== null && data === undefined)
    return (
      <>
        <dt>{say('fact.publish')}</dt>
        <dd className="quiet truncate">{error.message}</dd>
      </>
    );
  if (data === undefined) return null;
  return (
    <>
      {isForStreams && (
        <>
          <dt>{say('fact.publish')}</dt>
          <dd>
            <code className="truncate grow">{hidden(data.publishUrl)}</code>
            <Copy text={data.publishUrl} label={say('fact.copyPublish')} />
          </dd>
        </>
      )}
      <dt>{say('fact.play')}</dt>
      <dd title={say('fact.playHint')}>
        <code className="truncate grow">{hidden(data.playUrls.hls)}</code>
        <Copy text={data.playUrls.hls} label={say('fact.copyPlay')} />
      </dd>
    </>
  );
}

/** Without what proves the right to use it: somebody may look over one's shoulder. */
function hidden(url: string): string {
  return url.replaceAll(/([?&](?:key|token)=)[^&]+/g, '$1••••');
}

function Ingest({ minutes }: { readonly minutes: readonly { at: string; bitrate: number }[] }) {
  const say = useTranslations('live');
  const times = useMemo(() => minutes.map(({ at }) => Date.parse(at) / 1000), [minutes]);
  const series = useMemo(
    () => [
      {
        name: say('ingest.all'),
        colour: 1 as const,
        values: minutes.map(({ bitrate: each }) => each),
        fill: true,
      },
    ],
    [minutes, say],
  );
  return (
    <div className={styles.bitrate}>
      <Chart
        title={say('ingest')}
        unit={say('ingest.hour')}
        times={times}
        series={series}
        format={bitrate}
        height={92}
        sync="ingest"
      />
    </div>
  );
}

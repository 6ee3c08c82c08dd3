/** A link for others: the bare URL of what anybody may read, a signed one otherwise; as text, as a picture for a phone, as a command. */
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, Copy as CopyIcon, QrCode } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../../../app/session-context.tsx';
import { useCurl } from '../../../lib/curl.ts';
import { useTranslations } from '../../../lib/words.ts';
import { CommandTabs, shellWord } from '../../../ui/as-command.tsx';
import { Button } from '../../../ui/button.tsx';
import { copyText } from '../../../ui/copy.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { useMessages } from '../../../ui/messages.tsx';
import { useBucketInfo } from '../../bucket-frame/use-bucket-info.ts';
import objectsStyles from '../objects.module.css';
import styles from './detail.module.css';

const HOUR = 3600;
const TIMES = { hour: HOUR, day: 24 * HOUR, week: 7 * 24 * HOUR, month: 30 * 24 * HOUR } as const;
type Time = keyof typeof TIMES;

export function Share({ bucket, objectKey }: { readonly bucket: string; readonly objectKey: string }) {
  const say = useTranslations('objects');
  const { client, account } = useSession();
  const curl = useCurl();
  const tell = useMessages();
  const [expires, setExpires] = useState<Time>('day');
  const [domain, setDomain] = useState('');
  const [showsQr, setShowsQr] = useState(false);
  const { data: info } = useQuery(useBucketInfo(bucket));
  const { data: domains = [] } = useQuery({
    queryKey: ['buckets', account, bucket, 'domains'],
    queryFn: ({ signal }) => client.buckets.domains(bucket, { signal }),
    staleTime: 60_000,
  });
  const options = { expires: TIMES[expires], ...(domain === '' ? {} : { domain }) };
  const signed = useQuery({
    queryKey: ['objects', account, bucket, objectKey, 'url', options],
    queryFn: ({ signal }) => client.signing.downloadUrl(bucket, objectKey, { ...options, signal }),
    staleTime: 60_000,
  });
  const isPrivate = info?.private === 1;
  const url = signed.data === undefined ? '' : isPrivate ? signed.data.url : bareUrl(signed.data.url);
  const flags = `--expires ${options.expires}${domain === '' ? '' : ` --domain ${domain}`}`;
  return (
    <section className={styles.share}>
      <div className="section-head">
        <h2>{say('share.title')}</h2>
        <span className="quiet text-small end">{say(isPrivate ? 'share.private' : 'share.public')}</span>
      </div>
      <div className="row">
        {isPrivate && (
          <span className={`select ${styles.expires}`}>
            <select
              className="input"
              aria-label={say('share.expires')}
              value={expires}
              onChange={({ target }) => setExpires(target.value as Time)}
            >
              {(Object.keys(TIMES) as Time[]).map((each) => (
                <option key={each} value={each}>
                  {say(`share.${each}`)}
                </option>
              ))}
            </select>
            <ChevronDown className="icon" aria-hidden />
          </span>
        )}
        <span className="select grow">
          <select
            className="input"
            aria-label={say('share.domain')}
            value={domain}
            onChange={({ target }) => setDomain(target.value)}
          >
            <option value="">{say('share.ownHost')}</option>
            {domains.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
          <ChevronDown className="icon" aria-hidden />
        </span>
      </div>
      {signed.error !== null && <Failure error={signed.error} what={say('share.failed')} />}
      <div className={styles.url}>
        <code className="truncate" title={url}>
          {url}
        </code>
        <Button
          icon={<CopyIcon className="icon" aria-hidden />}
          disabled={url === ''}
          onClick={() => void copyText(url).then(() => tell({ words: say('linkCopied') }))}
        >
          {say('share.copy')}
        </Button>
        <Button
          icon={<QrCode className="icon" aria-hidden />}
          aria-label={say('share.qr')}
          aria-expanded={showsQr}
          disabled={url === ''}
          onClick={() => setShowsQr(!showsQr)}
        />
      </div>
      {showsQr && url !== '' && <Qr text={url} label={say('share.qrOf', { key: objectKey })} />}
      <div className={`${styles.same} ${objectsStyles.same}`}>
        <CommandTabs
          commands={{
            curl: curl({
              role: 'api',
              target: '/v1/sign/download-url',
              json: { bucket, key: objectKey, ...options },
            }),
            cli: `millpond url ${shellWord(`:${bucket}/${objectKey}`)} ${flags}`,
            sdk: `client.downloadUrl('${bucket}', ${JSON.stringify(objectKey)}, ${JSON.stringify(options)});`,
          }}
        />
      </div>
    </section>
  );
}

/** Without deadline and signature, which what anybody may read needs not. */
function bareUrl(signed: string): string {
  return signed.replace(/[?&]e=\d+&token=[^&]*$/, '');
}

/** A text as a picture that a phone reads. */
function Qr({ text, label }: { readonly text: string; readonly label: string }) {
  const { data } = useQuery({
    queryKey: ['qr', text],
    queryFn: async () => (await import('uqr')).encode(text, { border: 2 }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data === undefined) return null;
  const path = data.data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return (
    <svg className={styles.qrCode} viewBox={`0 0 ${data.size} ${data.size}`} role="img" aria-label={label}>
      <path d={path.join('')} />
    </svg>
  );
}

/** What `millpond dev` prints: where things are, and lines to paste. */

import { trusting } from '../ca-bundle.ts';
import { endpointText } from '../endpoint.ts';
import { exportLines } from '../print.ts';
import type { Dev, DevOptions } from './environment.ts';

export interface ClientEnvironment {
  readonly MILLPOND_URL: string;
  /** For the command line: calls that need TLS go to the TLS address. */
  readonly MILLPOND_ENDPOINT: string;
  readonly MILLPOND_ACCESS_KEY: string;
  readonly MILLPOND_SECRET_KEY: string;
  readonly MILLPOND_WEBHOOK_SECRET: string;
  readonly MILLPOND_CONFIG: string;
  readonly NODE_EXTRA_CA_CERTS: string;
  readonly MILLPOND_DIALECT: string;
  readonly MILLPOND_URL_S3: string;
  /** Where publishers reach the engine; stream URLs begin with it. */
  readonly MILLPOND_RTMP_URL?: string;
  /** Where devices register. */
  readonly MILLPOND_SIP_URL?: string;
}

/** For applications and our own commands, with the first account. */
export function clientEnvironment(dev: Dev): ClientEnvironment {
  const { accounts, dialect, ports, run, state } = dev;
  const [account] = accounts;
  const [rtmp, sip] = [rtmpUrl(dev), sipUrl(dev)];
  const url = `http://127.0.0.1:${ports.http}`;
  return {
    MILLPOND_URL: url,
    MILLPOND_ENDPOINT: endpointText(url, `https://127.0.0.1:${ports.https}`),
    MILLPOND_ACCESS_KEY: account?.accessKey ?? '',
    MILLPOND_SECRET_KEY: account?.secretKey ?? '',
    MILLPOND_WEBHOOK_SECRET: account?.webhookSecret ?? '',
    MILLPOND_CONFIG: run.config,
    NODE_EXTRA_CA_CERTS: state.certificate,
    MILLPOND_DIALECT: dialect,
    MILLPOND_URL_S3: s3Url(dev),
    ...(rtmp === undefined ? {} : { MILLPOND_RTMP_URL: rtmp }),
    ...(sip === undefined ? {} : { MILLPOND_SIP_URL: sip }),
  };
}

/** Undefined if no engine listens. */
function rtmpUrl({ config }: Dev): string | undefined {
  return config.liveEngines.length === 0 ? undefined : config.liveRtmpUrl;
}

function sipUrl({ config }: Dev): string | undefined {
  const { sipListen, sipPublicHost, sipServerId } = config;
  if (sipListen === undefined) return undefined;
  return `sip:${sipServerId}@${sipPublicHost ?? `${sipListen.address}:${sipListen.port}`}`;
}

/** The same, for a shell that already trusts certificates of its own. */
export function withMergedCaCerts(values: Readonly<Record<string, string>>): Record<string, string> {
  const { NODE_EXTRA_CA_CERTS: certificate = '' } = values;
  return { ...values, NODE_EXTRA_CA_CERTS: trusting(certificate, process.env.NODE_EXTRA_CA_CERTS) };
}

/** By `--time-factor`. */
export const SPED_UP = 'restores, the days they last, and retries of events and asynchronous fetches';

/** For a run that is not attached to a terminal. */
export function stopCommand({ ports }: Pick<Dev, 'ports'>): string {
  return `npx millpond dev stop --port ${ports.http}`;
}

export function readyWords(dev: Dev, options: DevOptions, seconds: number, log: string | undefined): string {
  const { ports, accounts, state } = dev;
  const [account] = accounts;
  const bucket = account?.buckets[0];
  const url = `http://127.0.0.1:${ports.http}`;
  const port = ports.http === 8100 ? '' : ` --port ${ports.http}`;
  const kept =
    options.data === undefined
      ? 'nothing is kept: everything is deleted when this stops (disk writes are not flushed; --data DIR keeps everything)'
      : `kept in ${state.root}, safe against power cuts`;
  return [
    ...consoleWords(dev),
    `Millpond is ready after ${seconds.toFixed(1)} s; ${log === undefined ? 'Ctrl-C' : `\`${stopCommand(dev)}\``} stops it.`,
    '',
    `  HTTP     ${url}`,
    `  HTTPS    https://127.0.0.1:${ports.https}  (where a deployment expects token, account and processing calls; certificate: ${state.certificate})`,
    `  S3       ${s3Url(dev)}, or over TLS https://127.0.0.1:${ports.s3Secure}`,
    `  health   http://127.0.0.1:${ports.control}/healthz`,
    `  metrics  http://127.0.0.1:${ports.metrics}/metrics`,
    ...liveWords(dev),
    `  data     ${kept}`,
    ...(log === undefined ? [] : [`  log      ${log}`]),
    ...accounts.map(
      ({ email, buckets }) =>
        `  account  ${email}${buckets.length === 0 ? '' : `, with ${plural(buckets)} ${buckets.join(', ')}`}`,
    ),
    '',
    'In other shells, for applications and the millpond command:',
    '',
    indented(exportLines(withMergedCaCerts({ ...clientEnvironment(dev) }))),
    '',
    `or: eval "$(npx millpond dev env${port})"`,
    ...(bucket === undefined ? [] : [...upload(url, bucket), ...s3Clients(dev, bucket), ...sdk(dev, bucket)]),
    '',
    `A clean state between tests: curl -X POST http://127.0.0.1:${ports.control}/reset`,
    'Callbacks and fetches may reach this machine (127.0.0.0/8 and ::1), which a deployment refuses.',
    ...(options.timeFactor === 1 ? [] : [`${options.timeFactor} times as fast: ${SPED_UP}.`]),
    ...(options.seed !== undefined && !dev.isNew
      ? ['The seed file was not used: the --data folder already has content.']
      : []),
    ...(dev.isUnconfined ? [UNCONFINED] : []),
    ...(dev.isWasm ? [WASM] : []),
    ...dev.missing.map(
      ({ program, off, reason = `${program} is missing`, remedy }) =>
        `Off: ${off}, because ${reason}: ${remedy}`,
    ),
    '',
  ].join('\n');
}

const UNCONFINED =
  "Without a sandbox (no bubblewrap here): pictures and films are opened by this user's own processes; use files you trust.";

const WASM =
  'Films: by ffmpeg in WebAssembly (@ffmpeg/core), several times slower than a real one, and files up to 256 MiB.';

/** Where people look, and with what they sign in; undefined if its pages could not be built. */
export function consoleOf({
  ports,
  accounts,
  hasConsole,
}: Dev): { url: string; email?: string; password?: string } | undefined {
  if (!hasConsole) return undefined;
  const [account] = accounts;
  return {
    url: `http://127.0.0.1:${ports.console}`,
    ...(account && { email: account.email }),
    ...(account?.password !== undefined && { password: account.password }),
  };
}

function consoleWords(dev: Dev): string[] {
  const console = consoleOf(dev);
  if (console === undefined) return [];
  const { url, email = '', password } = console;
  const words =
    password === undefined
      ? `${email} needs a password: npx millpond account password ${email}`
      : `sign in as ${email} with the password ${password}`;
  return [`See it in a browser: ${url}  (${words})`, ''];
}

function liveWords(dev: Dev): string[] {
  const [rtmp, sip] = [rtmpUrl(dev), sipUrl(dev)];
  return [
    ...(rtmp === undefined
      ? []
      : [`  live     ${rtmp}  (for publishers; the urls call gives a stream's own URL)`]),
    ...(sip === undefined ? [] : [`  devices  ${sip}  (UDP and TCP; domain ${dev.config.sipRealm})`]),
  ];
}

function upload(url: string, bucket: string): string[] {
  return [
    '',
    'Upload and download a file:',
    '',
    `  curl -F token="$(npx millpond token make ${bucket})" -F key=hello.txt -F file=@- ${url}/ <<< hello`,
    `  curl ${url}/${bucket}/hello.txt`,
  ];
}

function s3Url({ ports }: Dev): string {
  return `http://127.0.0.1:${ports.s3}`;
}

function s3Clients(dev: Dev, bucket: string): string[] {
  const [url, [account]] = [s3Url(dev), dev.accounts];
  const keys = `access_key_id=${account?.accessKey},secret_access_key=${account?.secretKey}`;
  return [
    '',
    'The same objects by S3, with aws-cli and rclone:',
    '',
    `  export AWS_ACCESS_KEY_ID=${account?.accessKey} AWS_SECRET_ACCESS_KEY=${account?.secretKey} AWS_DEFAULT_REGION=${dev.config.region}`,
    `  aws --endpoint-url ${url} s3 ls s3://${bucket}`,
    `  rclone ls ':s3,provider=Other,endpoint="${url}",${keys}:${bucket}'`,
  ];
}

function sdk({ ports, accounts, state }: Dev, bucket: string): string[] {
  return [
    '',
    'Qiniu’s SDKs take these hosts and keys:',
    '',
    `  upload, download, management: 127.0.0.1:${ports.http} (http) or 127.0.0.1:${ports.https} (https, ${state.certificate})`,
    `  bucket: ${bucket}, access key: ${accounts[0]?.accessKey}`,
  ];
}

function plural(buckets: readonly string[]): string {
  return buckets.length === 1 ? 'bucket' : 'buckets';
}

function indented(lines: string): string {
  return lines.replace(/^/gm, '  ');
}

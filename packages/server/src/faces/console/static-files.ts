/**
 * The console's pages. Files with a hash in their names never change; everything that is no file is the one page, which reads from
 * its own address what to show. Its headers allow it nothing but what comes from this origin, and no other page may show it.
 */
import { Fault, matchesEntityTag } from '@millpond/protocol';
import {
  CONSOLE_PREFIX,
  type HttpResponse,
  REQUEST_ID_HEADER,
  type RequestContext,
  type Route,
} from '../../platform/web/index.ts';
import { type ApplicationFile, type ApplicationFiles, PAGE } from './load-static-files.ts';

const YEAR_SECONDS = 31_536_000;
/** What the build names by its content. */
const NAMED_BY_CONTENT = '/assets/';
/** Not pages: an address there that nothing answers is a mistake. */
const NO_PAGES = /^\/(?:call|session|assets)(?:\/|$)/;
/** The last part of an address looks like the name of a file. */
const FILE_NAME = /\.[^/]*$/;

const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "frame-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': [
    'accelerometer=()',
    'camera=()',
    'display-capture=()',
    'geolocation=()',
    'gyroscope=()',
    'hid=()',
    'microphone=()',
    'midi=()',
    'payment=()',
    'serial=()',
    'usb=()',
  ].join(', '),
};

const NOT_BUILT = `The console answers here, but its pages are not built: run \`npm run console\` in the checkout and start the
server again. The published packages contain them.
`;

export function applicationRoutes(files: ApplicationFiles): Route[] {
  return ['/', '/*'].map((path) => ({
    role: 'console',
    methods: ['GET', 'HEAD'],
    path: `${CONSOLE_PREFIX}${path}`,
    handle: (context) => answer(context, files),
  }));
}

function answer(context: RequestContext, files: ApplicationFiles): HttpResponse | undefined {
  for (const [name, value] of Object.entries(HEADERS)) context.response.setHeader(name, value);
  const { path } = context.target;
  const named = files.get(path);
  if (named === undefined && (NO_PAGES.test(path) || (FILE_NAME.test(path) && !wantsPage(context))))
    throw new Fault('notFound', { hint: 'no such route' });
  const file = named ?? files.get(PAGE);
  if (file === undefined)
    return {
      status: 503,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
      body: NOT_BUILT,
    };
  send(context, file, path.startsWith(NAMED_BY_CONTENT));
  return undefined;
}

/** Keys of objects have dots too, and may stand in the address of a page. */
function wantsPage(context: RequestContext): boolean {
  return (context.header('accept') ?? '').includes('text/html');
}

function send(context: RequestContext, file: ApplicationFile, isImmutable: boolean): void {
  const response = context.takeOver();
  const brotli = acceptsBrotli(context.header('accept-encoding')) ? file.brotli : undefined;
  // The same representation has one tag: a cache must not answer with the other one's bytes.
  const etag = brotli === undefined ? file.etag : file.etag.replace(/"$/, '-br"');
  const headers = {
    [REQUEST_ID_HEADER]: context.reqid,
    'cache-control': isImmutable ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache',
    etag,
    vary: 'accept-encoding',
  };
  if (matchesEntityTag(context.header('if-none-match') ?? '', etag, 'weak')) {
    response.writeHead(304, headers).end();
    return;
  }
  const body = brotli ?? file.plain;
  response.writeHead(200, {
    ...headers,
    'content-type': file.type,
    'content-length': body.length,
    ...(brotli !== undefined && { 'content-encoding': 'br' }),
  });
  response.end(context.request.method === 'HEAD' ? undefined : body);
}

export function acceptsBrotli(header: string | undefined): boolean {
  return (header ?? '').split(',').some((each) => {
    const [coding = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return coding === 'br' && (quality === undefined || Number(quality) > 0);
  });
}

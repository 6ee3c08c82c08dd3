/** A server with an S3 listener, plain and over TLS. */
import type { Deployment, ServerProcess } from '../deployment.ts';
import { freePort } from '../ports.ts';
import type { Certificate } from '../tls.ts';

export interface S3Server extends ServerProcess {
  /** `http://127.0.0.1:port` of the S3 listener; that of the other calls is `url`. */
  readonly s3Url: string;
  /** The same over TLS, if there is a certificate. */
  readonly secureS3Url: string | undefined;
}

export async function startS3Server(
  deployment: Deployment,
  certificate?: Certificate,
  settings: Readonly<Record<string, string>> = {},
): Promise<S3Server> {
  const at = async (scheme: string) => `${scheme}://127.0.0.1:${await freePort()}`;
  const [plainUrl, s3Url] = [await at('http'), await at('http')];
  const secureS3Url = certificate === undefined ? undefined : await at('https');
  const s3 = [s3Url, ...(secureS3Url === undefined ? [] : [secureS3Url])].map((url) => `${url}/s3`);
  const server = await deployment.start({
    settings: { ...certificate?.settings, MILLPOND_LISTEN: [plainUrl, ...s3].join(','), ...settings },
  });
  return { ...server, s3Url, secureS3Url };
}

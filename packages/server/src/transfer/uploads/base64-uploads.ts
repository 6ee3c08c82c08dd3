/**
 * `/putb64`, for Qiniu's dialect: a whole file as Base64 text, for clients that can send no bytes. The body is held in memory, so it has the
 * limit of other calls.
 */
import { type Dialect, Fault, parseUploadAuthorization, tierOfClass } from '@millpond/protocol';
import { tenantOf } from '../../identity/accounts/index.ts';
import type { ObjectBlobs } from '../../platform/small-blobs/index.ts';
import { type HttpResponse, type RequestContext, segmentsOf } from '../../platform/web/index.ts';
import { BodyDigest } from '../../storage/objects/index.ts';
import { wholeFile } from './finished-upload.ts';
import type { ObjectCreation } from './object-creation.ts';
import { readMkfile } from './resumable/mkfile.ts';
import { Throttle } from './throttle.ts';
import type { UploadResponses } from './upload-response.ts';
import { maxUploadBytes, type UploadTokenVerifier } from './upload-token.ts';

export interface Base64UploadDeps {
  readonly permits: UploadTokenVerifier;
  readonly creation: ObjectCreation;
  readonly answers: UploadResponses;
  readonly blobs: ObjectBlobs;
  readonly dialect: Dialect;
  readonly maxObjectSize: number;
}

export class Base64Uploads {
  readonly #deps: Base64UploadDeps;

  constructor(deps: Base64UploadDeps) {
    this.#deps = deps;
  }

  async upload(context: RequestContext): Promise<HttpResponse> {
    const { permits, answers, blobs, dialect, creation, maxObjectSize } = this.#deps;
    const permit = await permits(
      parseUploadAuthorization(context.header('authorization')),
      context.peer.address,
    );
    answers.check(permit);
    await context.readBody();
    context.chargeBody(tenantOf(permit.key));
    const { trafficLimit } = permit.policy;
    if (trafficLimit !== undefined)
      await new Throttle(trafficLimit).take(context.body.length, context.cancel);
    const bytes = decoded(context.body);
    const { crc32, ...request } = readTarget(segmentsOf(context.target), bytes.length, dialect.metaPrefix);
    if (request.fsize !== bytes.length)
      throw wrong(`the body has ${bytes.length} bytes, not ${request.fsize}`);
    const digest = new BodyDigest(maxUploadBytes(permit, maxObjectSize));
    digest.update(bytes);
    const digestedBody = digest.finish();
    if (crc32 !== undefined && crc32 !== digestedBody.crc32) throw new Fault('crc32Mismatch');
    const writer = blobs.openBody({ tier: tierOfClass(permit.policy.fileType), signal: context.cancel });
    try {
      await writer.write(bytes);
      const stored = writer.end();
      return await creation.create({
        permit,
        context,
        store: async () => void (await writer.finish()),
        finished: {
          ...wholeFile(stored, digestedBody),
          key: request.key,
          fileName: request.fname,
          mimeType: request.mimeType,
          customVariables: request.customVars,
          metadata: request.metadata,
        },
      });
    } catch (error) {
      await writer.abort();
      throw error;
    }
  }
}

/** The path is mkfile's, with a checksum; a size of -1 means that the client does not know it. */
function readTarget([size = '', ...pairs]: readonly string[], actual: number, metaPrefix: string) {
  const at = pairs.findIndex((name, index) => index % 2 === 0 && name === 'crc32');
  const crc32 = at < 0 ? undefined : (pairs[at + 1] ?? '');
  if (crc32 !== undefined && !/^\d{1,10}$/.test(crc32)) throw wrong('crc32 must be a decimal number');
  const others = at < 0 ? pairs : pairs.toSpliced(at, 2);
  const request = readMkfile([size === '-1' ? String(actual) : size, ...others], metaPrefix);
  return { ...request, crc32: crc32 === undefined ? undefined : Number(crc32) };
}

/** Either alphabet, with or without padding, as SDKs and browsers write it; anything else is refused rather than skipped. */
function decoded(body: Buffer): Buffer {
  const text = body.toString('latin1').trim();
  const bytes = Buffer.from(text, 'base64');
  const said = text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/={1,2}$/, '');
  if (bytes.toString('base64').replace(/=+$/, '') !== said) throw wrong('the body must be Base64');
  return bytes;
}

function wrong(hint: string): Fault {
  return new Fault('invalidArgument', { hint });
}

/** Uploads by form: new objects, overwrites, and those that may only insert; with and without a callback. */
import { uploadToken } from '@millpond/testing';
import fc from 'fast-check';
import { type Action, type SystemUnderTest, settleByReading } from '../command.ts';
import { type ContentChoice, contentOf, DETECTED_TYPE, largeChoice, wordsOf } from '../contents.ts';
import { heldAt, type Model, type ModelObject, NEW, type ObjectRef, spaceOf } from '../state.ts';
import type { WireResponse } from '../wire.ts';
import { caching, meta, mimeType, place, placeWords, seldom, type } from './arbitrary.ts';

interface FormUpload {
  readonly at: ObjectRef;
  readonly choice: ContentChoice;
  readonly mode: 'insert' | 'overwrite' | 'insertOnly';
  readonly mimeType: string;
  readonly meta: Readonly<Record<string, string>>;
  readonly caching: string;
  readonly type: number;
  readonly expires: boolean;
  readonly calls: boolean;
}

const BOUNDARY = 'millpond-model';

export const uploads = fc
  .record<FormUpload>({
    at: place,
    choice: largeChoice,
    mode: fc.oneof(
      { weight: 4, arbitrary: fc.constant('overwrite' as const) },
      { weight: 1, arbitrary: fc.constantFrom('insert' as const, 'insertOnly' as const) },
    ),
    mimeType,
    meta,
    caching,
    type,
    expires: seldom,
    calls: seldom,
  })
  .map(formUpload);

function formUpload(upload: FormUpload): Action {
  const { at, choice, mode, calls } = upload;
  return {
    kind: 'upload',
    words: `upload ${wordsOf(choice)} to ${placeWords(at)} (${JSON.stringify(described(upload))})`,
    predict(model) {
      const space = spaceOf(model, at);
      if (!space.exists) return { status: 631 };
      const { hash } = contentOf(choice);
      const held = heldAt(model, at);
      const isNew = mode === 'overwrite' || held === undefined;
      if (!isNew && held.hash !== hash) return { status: 614 };
      const said = { hash, key: at.key };
      const body = JSON.stringify(calls ? { bucket: space.name, ...said } : said);
      return {
        status: 200,
        check: ({ body: found }) =>
          found.toString() === body ? undefined : `answered ${found.toString()} instead of ${body}`,
        atoms: isNew ? [[{ at, held: heldBy(upload), way: 'form' }]] : [],
        after() {
          if (calls) space.callbacks.sure++;
        },
      };
    },
    send: (model, system) => send(model, system, upload),
    async settle(model, system, { status, atoms = [] }) {
      if (calls && status === 200) spaceOf(model, at).callbacks.open++;
      await settleByReading(model, system, atoms);
    },
  };
}

function described({ mode, type, meta, caching, expires, calls }: FormUpload): object {
  return {
    mode,
    type,
    ...meta,
    ...(caching !== '' && { caching }),
    ...(expires && { expires }),
    ...(calls && { calls }),
  };
}

function heldBy({ choice, mimeType, meta, caching, type, expires }: FormUpload): ModelObject {
  const content = contentOf(choice);
  const said = { mimeType, meta, caching, type, expires };
  return { ...NEW, ...said, content, hash: content.hash, detectedType: DETECTED_TYPE };
}

function send(model: Model, system: SystemUnderTest, upload: FormUpload): Promise<WireResponse> {
  const { at, choice, mode, meta, caching, type, expires, calls } = upload;
  const { name } = spaceOf(model, at);
  const token = uploadToken(system.wire.account, {
    scope: mode === 'insert' ? name : `${name}:${at.key}`,
    ...(mode === 'insertOnly' && { insertOnly: 1 }),
    ...(type !== 0 && { fileType: type }),
    ...(expires && { deleteAfterDays: 3 }),
    ...(calls && {
      callbackUrl: system.receiver.callbackUrl,
      callbackBody: '{"bucket":$(bucket),"hash":$(etag),"key":$(key)}',
      callbackBodyType: 'application/json',
    }),
  });
  const fields = {
    token,
    key: at.key,
    ...Object.fromEntries(Object.entries(meta).map(([key, value]) => [`x-svc-meta-${key}`, value])),
    ...(caching !== '' && { 'x-svc-meta-!Cache-Control': caching }),
  };
  return system.wire.plain({
    method: 'POST',
    path: '/',
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: formOf(fields, upload.mimeType, contentOf(choice).bytes),
  });
}

function formOf(fields: Readonly<Record<string, string>>, mimeType: string, content: Buffer): Buffer {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const file = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="f"\r\nContent-Type: ${mimeType}\r\n\r\n`;
  return Buffer.concat([Buffer.from(parts.join('') + file), content, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
}

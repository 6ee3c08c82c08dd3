/** Uploads in parts, by either protocol: begun, filled, listed, completed, completed again, given up. */
import fc from 'fast-check';
import { type Action, type SystemUnderTest, settleByReading } from '../command.ts';
import { type Content, type ContentChoice, contentIn, contentOf, wordsOf } from '../contents.ts';
import { heldAt, type Model, type ModelObject, type ObjectRef, spaceOf, type Upload } from '../state.ts';
import type { WireResponse } from '../wire.ts';
import { place, placeWords } from './arbitrary.ts';

export interface PartProtocol {
  readonly name: 'native' | 's3';
  /** Sizes that parts have. */
  readonly sizes: fc.Arbitrary<number>;
  /** Minimum size of every part but the last. */
  readonly minBytes: number;
  readonly way: string;
  readonly statuses: { readonly noBucket: number; readonly gone: number; readonly aborted: number };
  /** What an upload makes of its parts. */
  held(parts: readonly Content[], whole: Content, type: number): ModelObject;
  begin(system: SystemUnderTest, bucket: string, key: string, type: number): Promise<WireResponse>;
  idIn(answer: WireResponse): string;
  put(
    system: SystemUnderTest,
    bucket: string,
    upload: Upload,
    number: number,
    content: Content,
  ): Promise<WireResponse>;
  list(system: SystemUnderTest, bucket: string, upload: Upload): Promise<WireResponse>;
  /** Number and size. */
  listedIn(answer: WireResponse): (readonly [number, number])[];
  complete(system: SystemUnderTest, bucket: string, upload: Upload): Promise<WireResponse>;
  /** In words, what is wrong with the answer to a completion. */
  wrongCompletion(answer: WireResponse, made: ModelObject): string | undefined;
  abort(system: SystemUnderTest, bucket: string, upload: Upload): Promise<WireResponse>;
}

/** A command on one of the uploads that were begun; which one, a number says. */
type OnUpload = (upload: Upload) => Action;

export function partCommands(protocol: PartProtocol): readonly [number, fc.Arbitrary<Action>][] {
  const { name } = protocol;
  const on = (kind: string, words: string, action: OnUpload) =>
    fc.nat(2).map((which): Action => onOne(name, which, `${name} ${kind}`, words, action));
  const choice: fc.Arbitrary<ContentChoice> = fc.record({ size: protocol.sizes, variant: fc.nat(4) });
  const parts = fc
    .record({ which: fc.nat(2), number: fc.constantFrom(1, 2), choice })
    .map(({ which, number, choice: chosen }) =>
      onOne(name, which, `${name} part`, `part ${number} of ${wordsOf(chosen)}`, (upload) =>
        putPart(protocol, upload, number, contentOf(chosen)),
      ),
    );
  return [
    [4, fc.record({ at: place, type: fc.constantFrom(0, 0, 0, 2) }).map((begun) => begin(protocol, begun))],
    [10, parts],
    [1, on('list parts', 'list parts', (upload) => list(protocol, upload))],
    [8, on('complete', 'complete', (upload) => complete(protocol, upload))],
    [1, on('abort', 'give up', (upload) => abort(protocol, upload))],
  ];
}

function onOne(name: 'native' | 's3', which: number, kind: string, words: string, action: OnUpload): Action {
  const chosen = ({ uploads }: Model): Action => {
    const upload = uploads[name].at(which % uploads[name].length);
    if (upload === undefined) throw new Error('there is no upload');
    return action(upload);
  };
  return {
    kind,
    words: `${words} of ${name} upload ${which}`,
    isPossible: (model) => model.uploads[name].length > 0 && (chosen(model).isPossible?.(model) ?? true),
    predict: (model) => chosen(model).predict(model),
    send: (model, system) => chosen(model).send(model, system),
    settle: async (model, system, prediction) => chosen(model).settle?.(model, system, prediction),
  };
}

/** What an upload is asked for that is not there, or whose bucket is not. */
function refusal({ statuses }: PartProtocol, model: Model, upload: Upload): number | undefined {
  if (!spaceOf(model, upload.at).exists) return statuses.noBucket;
  return upload.state === 'begun' ? undefined : statuses.gone;
}

function begin(
  protocol: PartProtocol,
  { at, type }: { readonly at: ObjectRef; readonly type: number },
): Action {
  return {
    kind: `${protocol.name} begin`,
    words: `begin ${protocol.name} upload to ${placeWords(at)} (class ${type})`,
    predict(model) {
      if (!spaceOf(model, at).exists) return { status: protocol.statuses.noBucket };
      return {
        status: 200,
        after(answer) {
          const state = { parts: new Map<number, Content>(), state: 'begun' as const, version: undefined };
          model.uploads[protocol.name].unshift({ at, type, id: protocol.idIn(answer), ...state });
        },
      };
    },
    send: (model, system) => protocol.begin(system, spaceOf(model, at).name, at.key, type),
  };
}

function putPart(protocol: PartProtocol, upload: Upload, number: number, content: Content): Action {
  return {
    kind: 'part',
    words: 'part',
    predict(model) {
      const status = refusal(protocol, model, upload);
      if (status !== undefined) return { status };
      return { status: 200, after: () => upload.parts.set(number, content) };
    },
    send: (model, system) => protocol.put(system, spaceOf(model, upload.at).name, upload, number, content),
    /** It is sent again, as clients do. */
    async settle(model, system, { status, after }) {
      const bucket = spaceOf(model, upload.at).name;
      const answer = await system.wire.certain(() => protocol.put(system, bucket, upload, number, content));
      if (answer.status !== status) throw new Error(`the part was answered ${answer.status} the second time`);
      after?.(answer);
    },
  };
}

function list(protocol: PartProtocol, upload: Upload): Action {
  return {
    kind: 'list parts',
    words: 'list parts',
    predict(model) {
      const status = refusal(protocol, model, upload);
      if (status !== undefined) return { status };
      const check = (answer: WireResponse) => {
        const found = JSON.stringify(protocol.listedIn(answer));
        const expected = JSON.stringify(inOrder(upload).map(([number, { bytes }]) => [number, bytes.length]));
        return found === expected ? undefined : `shows ${found} instead of ${expected}`;
      };
      return { status: 200, check };
    },
    send: (model, system) => protocol.list(system, spaceOf(model, upload.at).name, upload),
  };
}

function inOrder({ parts }: Upload): [number, Content][] {
  return [...parts].toSorted(([one], [other]) => one - other);
}

function complete(protocol: PartProtocol, upload: Upload): Action {
  const parts = inOrder(upload).map(([, content]) => content);
  return {
    kind: 'complete',
    words: 'complete',
    isPossible: () => parts.length > 0,
    predict(model) {
      const { at } = upload;
      const isSame = upload.state === 'completed' && heldAt(model, at)?.version === upload.version;
      const status = refusal(protocol, model, upload);
      if (status !== undefined && !isSame) return { status };
      if (parts.slice(0, -1).some(({ bytes }) => bytes.length < protocol.minBytes)) return { status: 400 };
      const held = protocol.held(
        parts,
        contentIn(Buffer.concat(parts.map(({ bytes }) => bytes))),
        upload.type,
      );
      return {
        status: 200,
        check: (answer) => protocol.wrongCompletion(answer, held),
        atoms: isSame ? [] : [[{ at, held, way: protocol.way }]],
        after() {
          upload.state = 'completed';
          upload.version = heldAt(model, at)?.version;
        },
      };
    },
    send: (model, system) => protocol.complete(system, spaceOf(model, upload.at).name, upload),
    /** Sent again, it is answered as it was, whether it was carried out then or now. */
    async settle(model, system, { status, atoms = [], check, after }) {
      const bucket = spaceOf(model, upload.at).name;
      const answer = await system.wire.certain(() => protocol.complete(system, bucket, upload));
      const fault = answer.status === status ? check?.(answer) : `answered ${answer.status}`;
      if (fault !== undefined) throw new Error(`completed again: ${fault}`);
      await settleByReading(model, system, atoms);
      after?.(answer);
    },
  };
}

function abort(protocol: PartProtocol, upload: Upload): Action {
  const { gone, aborted } = protocol.statuses;
  return {
    kind: 'abort',
    words: 'abort',
    predict(model) {
      const status = refusal(protocol, model, upload);
      if (status !== undefined) return { status };
      return {
        status: aborted,
        after() {
          upload.state = 'ended';
        },
      };
    },
    send: (model, system) => protocol.abort(system, spaceOf(model, upload.at).name, upload),
    async settle(model, system, { status, after }) {
      const bucket = spaceOf(model, upload.at).name;
      const answer = await system.wire.certain(() => protocol.abort(system, bucket, upload));
      if (answer.status !== status && answer.status !== gone)
        throw new Error(`given up again: ${answer.status}`);
      after?.(answer);
    },
  };
}

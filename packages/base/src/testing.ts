/**
 * How many bytes a piece of code moves and searches: what it costs, whatever the machine. By watching the methods of Buffer that do
 * so while it runs; loops of its own over single bytes are not seen.
 */
export interface ByteWork {
  readonly moved: number;
  readonly searched: number;
}

type Method = (this: Buffer, ...args: never[]) => unknown;

export function byteWork(run: () => void): ByteWork {
  const work = { moved: 0, searched: 0 };
  const restore = [
    watch(Buffer.prototype, 'copy', (_bytes, _args, result) => {
      work.moved += result as number;
    }),
    watch(Buffer.prototype, 'set', (_bytes, [from]) => {
      work.moved += lengthOf(from);
    }),
    watch(Buffer.prototype, 'indexOf', (bytes, [, from], found) => {
      work.searched +=
        ((found as number) < 0 ? bytes.length : (found as number)) - ((from as number | undefined) ?? 0);
    }),
    watch(Buffer.prototype, 'toString', (_bytes, _args, text) => {
      work.moved += (text as string).length;
    }),
    watch(Buffer, 'concat', (_buffer, _args, whole) => {
      work.moved += lengthOf(whole);
    }),
    watch(Buffer, 'from', (_buffer, _args, made) => {
      work.moved += lengthOf(made);
    }),
  ];
  try {
    run();
  } finally {
    for (const end of restore) end();
  }
  return work;
}

function lengthOf(bytes: unknown): number {
  return (bytes as ArrayLike<number>).length;
}

/** Own properties are put before those that are inherited (`set`), and taken away again. */
function watch(
  target: object,
  name: string,
  seen: (self: Buffer, args: readonly unknown[], result: unknown) => void,
): () => void {
  const own = Object.getOwnPropertyDescriptor(target, name);
  const method = Reflect.get(target, name) as Method;
  Object.defineProperty(target, name, {
    configurable: true,
    writable: true,
    value(this: Buffer, ...args: never[]) {
      const result = method.apply(this, args);
      seen(this, args, result);
      return result;
    },
  });
  return () => {
    if (own === undefined) Reflect.deleteProperty(target, name);
    else Object.defineProperty(target, name, own);
  };
}

/** Which of some names the server takes. */
import { MillpondError } from '@millpond/client';

const MAX_CONCURRENT = 8;

/** Those of the names with which the server did it. */
export async function acceptedNames(
  names: readonly string[],
  act: (name: string) => Promise<unknown>,
  atATime = MAX_CONCURRENT,
): Promise<string[]> {
  const left = [...names];
  const done = new Set<string>();
  await Promise.all(
    Array.from({ length: atATime }, async () => {
      for (let name = left.shift(); name !== undefined; name = left.shift()) {
        try {
          await act(name);
          done.add(name);
        } catch (error) {
          if (!(error instanceof MillpondError) || (error.status ?? 0) < 400 || (error.status ?? 0) >= 500)
            throw error;
        }
      }
    }),
  );
  return names.filter((name) => done.has(name));
}

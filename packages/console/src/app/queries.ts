/** How answers of the server are kept: shown at once when a screen opens again, and asked for anew. */
import { MillpondError } from '@millpond/client/session';
import { QueryClient } from '@tanstack/react-query';

/** Of the answer that says who is signed in. */
export const SESSION = ['session'];

const MOST_TRIES = 2;

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      // What the server refused it refuses again; the client itself repeats what no answer came to.
      retry: (tries, error) => tries < MOST_TRIES && !(error instanceof MillpondError),
      refetchOnWindowFocus: true,
    },
  },
});

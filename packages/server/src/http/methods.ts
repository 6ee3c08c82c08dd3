/**
 * Which methods the router tells apart. Node takes 35, and a known path answers 405 to each it does not take; the router keeps
 * a tree of all paths for every method. Those that no route takes are therefore one method to it.
 */
import { type IncomingMessage, METHODS } from 'node:http';

/** CONNECT never gets as far as a route. */
const SENDABLE = METHODS.filter((method) => method !== 'CONNECT');

export interface RoutedMethods {
  /** All that a path must have an answer to. */
  readonly all: readonly string[];
  /** To be called before a request is routed. */
  unite(request: IncomingMessage): void;
}

export function routedMethods(routes: readonly { readonly methods: readonly string[] }[]): RoutedMethods {
  const taken = new Set(['OPTIONS', ...routes.flatMap(({ methods }) => methods)]);
  const other = SENDABLE.find((method) => !taken.has(method));
  return {
    all: [...taken, ...(other === undefined ? [] : [other])],
    unite(request) {
      const { method } = request;
      if (method === undefined || method === other || taken.has(method)) return;
      sent.set(request, method);
      request.method = other;
    },
  };
}

const sent = new WeakMap<IncomingMessage, string>();

/** The method as the client wrote it. */
export function sentMethod(request: IncomingMessage): string {
  return sent.get(request) ?? request.method ?? '';
}

/**
 * Which methods the router distinguishes. Node accepts 35, and a known path answers 405 to each one it does not support; the
 * router keeps a tree of all paths for every method. Methods that no route takes are therefore merged into one.
 */
import { type IncomingMessage, METHODS } from 'node:http';

/** CONNECT never reaches a route. */
const SENDABLE = METHODS.filter((method) => method !== 'CONNECT');

export interface RoutedMethods {
  /** All methods that a path must answer. */
  readonly all: readonly string[];
  /** Call this before a request is routed. */
  normalize(request: IncomingMessage): void;
}

export function routedMethods(routes: readonly { readonly methods: readonly string[] }[]): RoutedMethods {
  const taken = new Set(['OPTIONS', ...routes.flatMap(({ methods }) => methods)]);
  const other = SENDABLE.find((method) => !taken.has(method));
  return {
    all: [...taken, ...(other === undefined ? [] : [other])],
    normalize(request) {
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

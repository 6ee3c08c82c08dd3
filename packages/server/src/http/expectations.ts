/**
 * `Expect`. S3's clients wait for `100 Continue` before they send a body, and its handlers decide when; all others get it at
 * once. An expectation that nobody knows is no reason for S3 to refuse; elsewhere Node answers 417.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { deferContinue } from '../platform/web/index.ts';

export function heedExpectations(server: Server, isS3: (request: IncomingMessage) => boolean): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (isS3(request)) deferContinue(request);
    else response.writeContinue();
    server.emit('request', request, response);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    if (isS3(request)) server.emit('request', request, response);
    else response.writeHead(417).end();
  });
}

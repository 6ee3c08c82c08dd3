/** Opens sockets to the engine: plain ones, or TLS ones for which its certificate must bear its name. */
import { connect, isIP, type OnReadOpts, type Socket, type SocketConstructorOpts } from 'node:net';
import { type ConnectionOptions, createSecureContext, connect as secureConnect, TLSSocket } from 'node:tls';

export type Dial = (onread: OnReadOpts) => Socket;

/** `certificateAuthority`: PEM; trusted instead of those that this machine trusts. */
export function createDial(endpoint: URL, certificateAuthority: string | undefined): Dial {
  const host = endpoint.hostname.replace(/^\[|\]$/g, '');
  if (endpoint.protocol === 'http:') {
    const target = { host, port: Number(endpoint.port || 80), noDelay: true };
    return (onread) => connect({ ...target, onread });
  }
  const target: ConnectionOptions & SocketConstructorOpts = {
    host,
    port: Number(endpoint.port || 443),
    noDelay: true,
    // TLS has no names that are addresses; without one the address itself is looked for in the certificate.
    servername: isIP(host) === 0 ? host : undefined,
    // Made once: reading the authorities takes longer than a handshake.
    secureContext: createSecureContext({ ca: certificateAuthority }),
    ALPNProtocols: ['http/1.1'],
  };
  return (onread) => {
    const options: typeof target = { ...target, onread };
    const socket = secureConnect(options);
    // The next connection shakes hands without the certificate's arithmetic.
    return socket.on('session', (session) => {
      target.session = session;
    });
  };
}

/** The event after which bytes may be written: not before the certificate is found good. */
export function readyEvent(socket: Socket): 'connect' | 'secureConnect' {
  return socket instanceof TLSSocket ? 'secureConnect' : 'connect';
}

/** Whether the socket broke because of the engine's certificate. */
export function isUntrusted(socket: Socket): boolean {
  return socket instanceof TLSSocket && Boolean(socket.authorizationError);
}

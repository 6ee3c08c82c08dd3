/** Opens sockets to the engine: plain ones, or TLS ones whose certificate must match the engine's name. */
import { connect, isIP, type OnReadOpts, type Socket, type SocketConstructorOpts } from 'node:net';
import { type ConnectionOptions, createSecureContext, connect as secureConnect, TLSSocket } from 'node:tls';

export type Dial = (onread: OnReadOpts) => Socket;

/** `certificateAuthority`: PEM; trusted instead of this machine's own authorities. */
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
    // TLS does not allow addresses as server names; without a name, the certificate is checked for the address itself.
    servername: isIP(host) === 0 ? host : undefined,
    // Created once: reading the authorities takes longer than a handshake.
    secureContext: createSecureContext({ ca: certificateAuthority }),
    ALPNProtocols: ['http/1.1'],
  };
  return (onread) => {
    const options: typeof target = { ...target, onread };
    const socket = secureConnect(options);
    // Lets the next connection resume the session, without the certificate arithmetic.
    return socket.on('session', (session) => {
      target.session = session;
    });
  };
}

/** The event after which bytes may be written: not before the certificate has been verified. */
export function readyEvent(socket: Socket): 'connect' | 'secureConnect' {
  return socket instanceof TLSSocket ? 'secureConnect' : 'connect';
}

/** Whether the socket failed because of the engine's certificate. */
export function isUntrusted(socket: Socket): boolean {
  return socket instanceof TLSSocket && Boolean(socket.authorizationError);
}

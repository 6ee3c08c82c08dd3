/** Whoever a message came from, and answers go to. */
export interface Peer {
  readonly transport: 'udp' | 'tcp';
  readonly address: string;
  readonly port: number;
  send(bytes: Buffer): void;
  /** A device is there: its connection may stay. */
  keep(): void;
}

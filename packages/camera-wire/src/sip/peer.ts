/** Where a message came from, and where answers go. */
export interface Peer {
  readonly transport: 'udp' | 'tcp';
  readonly address: string;
  readonly port: number;
  send(bytes: Buffer): void;
  /** A device has proven itself: its connection may stay. */
  keep(): void;
}

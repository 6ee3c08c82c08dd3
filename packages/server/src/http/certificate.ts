/**
 * The certificate of https listeners. Files that were replaced are taken without a restart, and connections that are open stay open; files that
 * can't be used are not taken, and the old certificate stays.
 */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, type Server } from 'node:tls';
import type { Log } from '@millpond/base';

const CHECK_MS = 30_000;

interface Material {
  readonly cert: Buffer;
  readonly key: Buffer;
}

export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

export class Certificate {
  readonly #files: CertificateFiles;
  readonly #log: Log;
  readonly #servers = new Set<Server>();
  #material: Material;
  #refused: Material | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** Throws if the files can't be used: a server without its certificate must not start. */
  constructor(files: CertificateFiles, log: Log) {
    this.#files = files;
    this.#log = log;
    try {
      this.#material = read(files);
      prove(this.#material);
    } catch (error) {
      const { message } = error as Error;
      throw new Error(`${files.cert} and ${files.key} are no certificate and its key: ${message}`, {
        cause: error,
      });
    }
  }

  get material(): Material {
    return this.#material;
  }

  /** Seconds until it is no longer valid; negative: it is not. */
  get secondsLeft(): number {
    return (new X509Certificate(this.#material.cert).validToDate.getTime() - Date.now()) / 1000;
  }

  /** The server gets every later certificate, until it is closed. */
  attach(server: Server): void {
    this.#servers.add(server);
    server.once('close', () => {
      this.#servers.delete(server);
      if (this.#servers.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    });
    this.#timer ??= setInterval(() => this.renew(), CHECK_MS).unref();
  }

  /** Looks whether the files were replaced. While only one of the two was, they don't fit, and it is tried again. */
  renew(): void {
    let found: Material | undefined;
    try {
      found = read(this.#files);
      if (isSame(found, this.#material) || (this.#refused && isSame(found, this.#refused))) return;
      prove(found);
    } catch (error) {
      this.#refused = found;
      this.#log.error({ error: (error as Error).message }, 'new certificate refused; the old one stays');
      return;
    }
    this.#material = found;
    this.#refused = undefined;
    for (const server of this.#servers) server.setSecureContext(found);
    this.#log.info({ secondsLeft: Math.round(this.secondsLeft) }, 'certificate replaced');
  }
}

function read({ cert, key }: CertificateFiles): Material {
  return { cert: readFileSync(cert), key: readFileSync(key) };
}

/** Throws if it is no certificate, or not one of this key. */
function prove(material: Material): void {
  createSecureContext(material);
}

function isSame(one: Material, other: Material): boolean {
  return one.cert.equals(other.cert) && one.key.equals(other.key);
}

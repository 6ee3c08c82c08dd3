/**
 * Freeing the memory of a chunk without the garbage collector. Buffers from the network lie outside the collector's
 * heap, and it learns of them only by how much they are in all: every 20 MiB of uploads it marked everything there is,
 * which was half of the CPU of an upload of 1 MiB.
 */

/** Smaller ones are not worth it. */
const FREE_FROM = 8 * 1024;

/** Frees the chunk's memory if nothing else lies in it, as in that of Node's pool. The chunk is empty then. */
export function freeMemory({ buffer, byteLength }: Uint8Array): void {
  if (byteLength >= FREE_FROM && byteLength === buffer.byteLength && buffer instanceof ArrayBuffer)
    buffer.transfer(0);
}

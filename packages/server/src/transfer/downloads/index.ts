/** Downloads: the bytes of an object, whole or in part, for those allowed to read them. */
export { createDownloads } from './downloads.create.ts';
export { sendBytes } from './send-bytes.ts';

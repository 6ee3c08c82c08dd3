/** Downloads: the bytes of an object, whole or in part, to whoever may have them. */
export { createDownloads } from './create.ts';

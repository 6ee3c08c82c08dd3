/** For `millpond dev`: see packages/base/src/folders.ts. */
export { makeFolder } from '@millpond/base';

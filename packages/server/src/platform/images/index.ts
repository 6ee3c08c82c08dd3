/** Pictures, decoded in the jail only: see image-pool.ts. */
export { createImagePool, type ImageAnswer, type ImagePool, type ImagePoolOptions } from './image-pool.ts';
export type { Exif, ExifValue } from './jailed/exif.ts';
export type { ImagePlan, LookRequest, WorkLimits, WorkRequest } from './jailed/requests.ts';
export { imageMounts } from './sharp-mounts.ts';

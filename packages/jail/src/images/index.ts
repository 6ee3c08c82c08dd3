/** Images, decoded in the sandbox only: see image-pool.ts. */
export { isSharpInstalled } from './image-command.ts';
export { createImagePool, type ImageAnswer, type ImagePool, type ImagePoolOptions } from './image-pool.ts';
export type { Exif, ExifValue } from './sandboxed/exif.ts';
export type { ImagePlan, InspectRequest, TransformLimits, TransformRequest } from './sandboxed/requests.ts';

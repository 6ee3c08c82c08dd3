/**
 * What sandboxed programs of a process may use if all of them run at once and each goes to its limit. The sandbox holds each to its
 * own limit; a container's limits have to cover the sum, or the kernel ends the container with all work in it.
 */
import {
  imageProcessMemory,
  inspectionMemory,
  liveRemuxMemory,
  mediaLimits,
  remuxLimits,
} from '@millpond/jail';
import type { Config } from './config/config.ts';

export interface SandboxNeeds {
  readonly memoryBytes: {
    /** `serve --no-work` */
    readonly gateway: number;
    /** `work --only jobs` */
    readonly worker: number;
    /** `work --only live`, with one engine */
    readonly live: number;
  };
  /** Results of the tasks that a worker runs; their sources are beside them. */
  readonly workerDiskBytes: number;
}

export function sandboxNeeds(config: Config): SandboxNeeds {
  const { imageSlots, mediaSlots, liveRecordSlots, liveSnapSlots, inspectConcurrency } = config;
  // A process that makes an image is part of what its command may use.
  const idleImages = config.imageProcesses * imageProcessMemory.idleBytes;
  const inspection = inspectionMemory.imageBytes + inspectionMemory.mediaBytes;
  return {
    memoryBytes: {
      gateway:
        imageSlots * Math.max(mediaLimits.vframe.memoryBytes, imageProcessMemory.busyBytes) +
        (config.inspect ? inspectConcurrency * inspection : 0) +
        idleImages,
      worker: mediaSlots * mediaLimits.avthumb.memoryBytes + idleImages,
      live:
        liveRecordSlots * remuxLimits.memoryBytes +
        liveSnapSlots * mediaLimits.vframe.memoryBytes +
        cameras(config) * cameraBytes(config) +
        idleImages,
    },
    workerDiskBytes: mediaSlots * mediaLimits.avthumb.totalBytes,
  };
}

/** Each takes two ports. */
function cameras({ sipListen, sipMediaPorts, sipMediaSessions }: Config): number {
  if (sipListen === undefined || sipMediaPorts === undefined) return 0;
  return Math.min(sipMediaSessions, Math.floor((sipMediaPorts.last - sipMediaPorts.first + 1) / 2));
}

/** H.265 is found out by trying to copy it, and encoded then. */
function cameraBytes({ sipMediaTranscode }: Config): number {
  return sipMediaTranscode ? liveRemuxMemory.encodingBytes : liveRemuxMemory.copyingBytes;
}

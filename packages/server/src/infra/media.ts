/** Opens the media engine when it is first needed, in the sandbox or not at all. */
import type { Config } from '../config/config.ts';
import { type MediaEngine, openMediaEngine } from '../platform/media/index.ts';
import { SandboxUnavailable } from '../platform/sandbox/index.ts';
import type { SharedSandbox } from './sandbox.ts';

export interface Media {
  /** Rejects with SandboxUnavailable, which says what is missing. */
  engine(): Promise<MediaEngine>;
  close(): Promise<void>;
}

export function openMedia(config: Config, shared: SharedSandbox): Media {
  let opened: Promise<MediaEngine> | undefined;
  async function open(): Promise<MediaEngine> {
    const sandbox = await shared.open();
    if (sandbox instanceof SandboxUnavailable) throw sandbox;
    return openMediaEngine({
      sandbox,
      ffmpeg: config.ffmpeg,
      ffprobe: config.ffprobe,
      threads: config.mediaThreads,
      imageProcesses: config.imageProcesses,
    });
  }
  return {
    engine() {
      opened ??= open();
      return opened;
    },
    async close() {
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}

/** Metrics of the media of a port's devices, for ended and current sessions. */
import type { MediaSession } from './media-session.ts';

export interface MediaStats {
  readonly sessions: number;
  readonly running: number;
  readonly packets: number;
  readonly lost: number;
  readonly foreign: number;
  readonly dropped: number;
}

export const NO_FIGURES: MediaStats = {
  sessions: 0,
  running: 0,
  packets: 0,
  lost: 0,
  foreign: 0,
  dropped: 0,
};

export class MediaCounts {
  readonly #sessions = new Set<MediaSession>();
  readonly #over = { packets: 0, lost: 0, foreign: 0, dropped: 0 };

  begin(session: MediaSession): void {
    this.#sessions.add(session);
  }

  end(session: MediaSession): void {
    this.#sessions.delete(session);
    add(this.#over, session);
  }

  all(): Iterable<MediaSession> {
    return this.#sessions;
  }

  get sessions(): number {
    return this.#sessions.size;
  }

  get figures(): MediaStats {
    const all = { ...this.#over };
    for (const session of this.#sessions) add(all, session);
    const running = [...this.#sessions].filter(({ isRunning }) => isRunning).length;
    return { sessions: this.sessions, running, ...all };
  }
}

function add(
  sum: { packets: number; lost: number; foreign: number; dropped: number },
  { counts }: MediaSession,
) {
  sum.packets += counts.packets;
  sum.lost += counts.lost;
  sum.foreign += counts.foreign;
  sum.dropped += counts.dropped;
}

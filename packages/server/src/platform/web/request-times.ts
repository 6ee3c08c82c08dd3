/** How long requests take, by route, kind and status. What a request costs here is two look-ups and an addition. */
import { Timer } from '@millpond/base';
import type { Route } from './route.ts';

type Add = (seconds: number) => void;

/** By the role that answers; all others are calls. */
const KINDS: Readonly<Record<string, string>> = { io: 'downloads', up: 'uploads', s3: 's3' };

export class RequestTimes {
  readonly metric = new Timer({
    name: 'millpond_request_seconds',
    help: 'Time from a request’s first byte to its answer’s last',
    labels: ['route', 'kind', 'status'],
  });
  readonly #byRoute = new Map<Route | string, Map<number, Add>>();

  /** `url`: the path that was matched; what answers there may have no route, such as a refusal of the method. */
  observe(route: Route | undefined, url: string, status: number, seconds: number): void {
    const add = this.#byRoute.get(route ?? url)?.get(status) ?? this.#series(route, url, status);
    add(seconds);
  }

  #series(route: Route | undefined, url: string, status: number): Add {
    const kind = KINDS[route?.role ?? ''] ?? 'calls';
    const add = this.metric.with({ route: url, kind, status: String(status) });
    const byStatus = this.#byRoute.get(route ?? url) ?? new Map<number, Add>();
    this.#byRoute.set(route ?? url, byStatus.set(status, add));
    return add;
  }
}

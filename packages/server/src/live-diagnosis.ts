/** What `millpond doctor` asks of the engines of live streams. */
import type { Config } from './config/config.ts';
import { type Diagnosis, reasonOf } from './diagnosis.ts';
import { OUTDATED_ENGINE, openEngine } from './features/live/index.ts';

export function diagnoseLive({ liveEngines }: Config): Promise<Diagnosis[]> {
  return Promise.all(
    liveEngines.map(async ({ id, kind, url }): Promise<Diagnosis> => {
      const check = `live engine ${id}`;
      const { client } = openEngine(id, kind, url);
      try {
        const { publishers } = await client.state();
        if (!(await client.isOutdated()))
          return { check, state: 'good', said: `answers, ${publishers.length} publish there` };
        const [said = '', remedy = ''] = OUTDATED_ENGINE.split(': ');
        return { check, state: 'bad', said, remedy };
      } catch (error) {
        const remedy = 'start it, or correct MILLPOND_LIVE_ENGINES; see docs/live.md';
        return { check, state: 'bad', said: `does not answer at ${url}: ${reasonOf(error)}`, remedy };
      }
    }),
  );
}

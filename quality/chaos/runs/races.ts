/** 16 clients create one key at the same moment, at two servers: exactly one content may win. */
import { checkObjects } from '../checks/objects.ts';
import { type Content, createContents, KIB } from '../load/contents.ts';
import { KillableServer } from '../load/server.ts';
import { countAcknowledged, createLedger, type Ledger, uploadOnce } from '../load/writers.ts';
import { Findings } from '../report.ts';
import { type RunContext, type RunEnvironment, withRunEnvironment } from '../run-environment.ts';
import { collectAndVerify, readBack } from '../verify.ts';

const CLIENTS = 16;
const SIZES = [0, 1, 4 * KIB, 4 * KIB, 300 * KIB];

export function runRaces(context: RunContext): Promise<[Findings, object]> {
  return withRunEnvironment(context, async (place) => {
    const { options, random, signal, say } = context;
    const servers = [
      await KillableServer.start(place.deployment, {}),
      await KillableServer.start(place.deployment, {}),
    ];
    const urls = servers.map((server) => server.url);
    const contents = createContents(options.seed);
    const sizes = random.fork('sizes');
    const ledger = createLedger();
    const findings = new Findings();
    const end = options.minutes === undefined ? undefined : Date.now() + options.minutes * 60_000;
    let rounds = 0;
    for (; end === undefined ? rounds < options.rounds : Date.now() < end; rounds++) {
      signal.throwIfAborted();
      const race = { environment: place, urls, ledger, findings };
      const different = Array.from({ length: CLIENTS }, () => contents.make(4 * KIB));
      await raceDifferent(race, `different/${rounds}`, different);
      await raceIdentical(race, `identical/${rounds}`, contents.make(sizes.pick(SIZES)));
      if ((rounds + 1) % 10 === 0) say(`round ${rounds + 1}`);
    }
    const [url = ''] = urls;
    const keys = ledger.writes.map((write) => write.key);
    const cleared = await collectAndVerify(context, place, findings, { crashed: false });
    checkObjects(ledger.writes, await readBack(place, url, keys, findings), findings);
    return [
      findings,
      {
        acknowledged: countAcknowledged(ledger.writes),
        rounds,
        wrong: findings.count('wrong'),
        answers: Object.fromEntries(ledger.answers),
        ...cleared,
      },
    ];
  });
}

interface Race {
  readonly environment: RunEnvironment;
  readonly urls: readonly string[];
  readonly ledger: Ledger;
  readonly findings: Findings;
}

async function raceDifferent(race: Race, key: string, contents: readonly Content[]): Promise<void> {
  const answers = await send(race, key, contents);
  const winners = answers.filter((status) => status === '200').length;
  const losers = answers.filter((status) => status === '614').length;
  if (winners !== 1 || losers !== contents.length - 1)
    race.findings.add('wrong', `${key}: ${answers.join(' ')} for ${contents.length} different contents`);
}

/** All succeed, and the object does not change: a second round leaves its put time alone. */
async function raceIdentical(race: Race, key: string, content: Content): Promise<void> {
  const same = Array.from({ length: CLIENTS }, () => content);
  const first = await send(race, key, same);
  const before = await race.environment.client.stat(race.urls[0] ?? '', key);
  const second = await send(race, key, same);
  const after = await race.environment.client.stat(race.urls[1] ?? '', key);
  if ([...first, ...second].some((status) => status !== '200'))
    race.findings.add('wrong', `${key}: ${[...first, ...second].join(' ')} for identical contents`);
  if (before?.putTime === undefined || before.putTime !== after?.putTime)
    race.findings.add('wrong', `${key}: put time ${before?.putTime} became ${after?.putTime}`);
}

/** The status of each, in no particular order. */
async function send(
  { environment, urls, ledger }: Race,
  key: string,
  contents: readonly Content[],
): Promise<string[]> {
  return Promise.all(
    contents.map(async (content, number) => {
      const url = urls[number % urls.length] ?? '';
      return (await uploadOnce(environment.client, ledger, { url, key, mode: 'insert', content })).answer;
    }),
  );
}

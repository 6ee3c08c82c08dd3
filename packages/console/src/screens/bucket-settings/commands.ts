/** The commands that set a whole list of rules. */
import type { Curl } from '../../lib/curl.ts';
import type { Commands } from '../../ui/as-command.tsx';

export function listCommands(
  curl: (call: Curl) => string,
  list: {
    readonly bucket: string;
    readonly rules: readonly unknown[];
    readonly target: string;
    /** The command's and the method's own words. */
    readonly cli: string;
    readonly sdk: string;
  },
): Commands {
  const { bucket, rules, target, cli, sdk } = list;
  const json = JSON.stringify(rules, null, 2);
  return {
    curl: curl({ role: 'uc', method: 'POST', target, json: rules }),
    cli: `millpond bucket ${cli} :${bucket} \\\n  --set - <<'JSON'\n${json}\nJSON`,
    sdk: `await client.buckets.${sdk}('${bucket}', ${json});`,
  };
}

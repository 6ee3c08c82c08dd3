/** Prints a new access key, for people, programs or shells. */
import type { KeyLimits } from '@millpond/protocol';
import { trusting } from './ca-bundle.ts';
import { hasDatabase, loadConfig } from './config.ts';
import { endpointOf } from './endpoint.ts';
import { limitsText } from './key-limits.ts';
import type { OperatorOptions } from './operator.ts';
import { exportLines, print } from './print.ts';

/** Returns how to print a key. Everything that could fail happens before the key exists: its secret is shown once. */
export function keyPrinter(options: OperatorOptions & { export?: boolean }): (
  result: { accessKey: string; secretKey: string; [name: string]: string | bigint | KeyLimits },
  /** For a shell's receivers: without it they would go on with that of another account. */
  webhookSecret?: string,
) => void {
  if (options.export) {
    const { endpoint, certificate } = (hasDatabase(options) && endpointOf(loadConfig(options))) || {};
    const trusted = certificate && trusting(certificate, process.env.NODE_EXTRA_CA_CERTS);
    return ({ accessKey, secretKey }, webhookSecret) => {
      const lines = exportLines({
        ...(endpoint === undefined ? {} : { MILLPOND_ENDPOINT: endpoint }),
        MILLPOND_ACCESS_KEY: accessKey,
        MILLPOND_SECRET_KEY: secretKey,
        ...(webhookSecret === undefined ? {} : { MILLPOND_WEBHOOK_SECRET: webhookSecret }),
        ...(trusted === undefined ? {} : { NODE_EXTRA_CA_CERTS: trusted }),
      });
      print({}, {}, lines);
    };
  }
  return (result) => {
    const lines = Object.entries(result).map(
      ([name, value]) => `${name.padEnd(10)} ${typeof value === 'object' ? limitsText(value) : value}`,
    );
    print(options, result, `${lines.join('\n')}\nThe secret key is not shown again.`);
  };
}

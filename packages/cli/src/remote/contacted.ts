/**
 * The installations that this command uses, so that messages about a refusal or an unreachable server can name them.
 * Each command is a process, so there are seldom two.
 */

export interface InstallationInUse {
  /** Undefined: the installation that the environment names. */
  readonly alias: string | undefined;
  readonly endpoint: readonly string[];
  /** Nobody configured it. */
  readonly isDefaultEndpoint: boolean;
  readonly accessKey: string;
}

const asked = new Map<string | undefined, InstallationInUse>();

export function useInstallation(installation: InstallationInUse): void {
  asked.set(installation.alias, installation);
}

/** For tests: a process goes through one command, and has nothing to forget. */
export function forgetInstallations(): void {
  asked.clear();
}

/** The one that was used; undefined if there were several, because an error doesn't say which one it came from. */
export function installationInUse(): InstallationInUse | undefined {
  const [only, ...others] = asked.values();
  return others.length === 0 ? only : undefined;
}

/** Its addresses, or only the one with this port. */
export function addressOf({ endpoint }: InstallationInUse, port?: number): string {
  const urls = endpoint.map((part) => part.replace(/^[a-z]+=/, ''));
  const isAt = (text: string) => {
    const url = URL.parse(text);
    return url !== null && Number(url.port || (url.protocol === 'https:' ? 443 : 80)) === port;
  };
  return urls.find(isAt) ?? [...new Set(urls)].join(', ');
}

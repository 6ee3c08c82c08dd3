/** Where a repository is seen in a browser, from what npm and git call it: `git+https://host/a/b.git`, `git@host:a/b.git`, `github:a/b`. */
export function webAddressOf(repository: string): string {
  const name = repository
    .replace(/^git\+/, '')
    .replace(/^(?:ssh:\/\/)?git@([^:/]+)[:/]/, 'https://$1/')
    .replace(/^github:/, '')
    .replace(/\/$/, '')
    .replace(/\.git$/, '');
  return /^[\w.-]+\/[\w.-]+$/.test(name) ? `https://github.com/${name}` : name;
}

import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { withoutSurrounding } from '../../domain/text/trailing.ts';

/** Returns the addresses of a name in the hosts file, in file order. */
export async function findInHostsFile(file: string, hostname: string): Promise<string[]> {
  const name = hostname.toLowerCase();
  return (await linesOf(file)).flatMap(([address = '', ...names]) =>
    isIP(address) !== 0 && !address.includes('%') && names.some((each) => each.toLowerCase() === name)
      ? [address]
      : [],
  );
}

/**
 * Returns the search domains of a `resolv.conf(5)` file. As specified there, the last `search` or `domain`
 * line applies.
 */
export async function readSearchDomains(file: string): Promise<string[]> {
  const line = (await linesOf(file)).findLast(([keyword]) => keyword === 'search' || keyword === 'domain');
  return (line ?? []).slice(1).flatMap((domain) => {
    const name = withoutSurrounding(domain, '.');
    return name === '' ? [] : [name];
  });
}

/** Returns the words of each line, or an empty list if the file can't be read. */
async function linesOf(file: string): Promise<string[][]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text
    .split('\n')
    .map((line) =>
      line
        .replace(/[#;].*/u, '')
        .trim()
        .split(/\s+/u),
    )
    .filter(([first]) => first !== '');
}

import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

/** The addresses of a name in the hosts file, in its order. */
export async function findInHostsFile(file: string, hostname: string): Promise<string[]> {
  const name = hostname.toLowerCase();
  return (await linesOf(file)).flatMap(([address = '', ...names]) =>
    isIP(address) !== 0 && !address.includes('%') && names.some((each) => each.toLowerCase() === name)
      ? [address]
      : [],
  );
}

/** As `resolv.conf(5)` has it: the last line counts. */
export async function readSearchDomains(file: string): Promise<string[]> {
  const line = (await linesOf(file)).findLast(([keyword]) => keyword === 'search' || keyword === 'domain');
  return (line ?? []).slice(1).flatMap((domain) => {
    const name = domain.replace(/^\.+|\.+$/gu, '');
    return name === '' ? [] : [name];
  });
}

/** The words of each line. A file that can't be read has none. */
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

import type { Fact } from './fact.ts';
import { factDefaults } from './manifest.ts';
import { type ReadVersion, readVersion } from './read-version.ts';

type PackageFact = Omit<Fact, 'extractor' | 'place'>;

/**
 * Matches a package with its version, such as `redis-server=6:7.2.4-1rl1~jammy1` or `yarn@4.18.0`.
 *
 * @see https://www.debian.org/doc/debian-policy/ch-controlfields.html#version
 */
const pinnedPackage =
  /^([a-z0-9][a-z0-9.+_-]{0,100})(?::[a-z0-9]{1,20})?[=@]((?:\d{1,5}:)?v?\d[\w.+~*-]{0,60})$/i;

/** Reads a package with its version. Returns null for other texts. */
export function readPinnedPackage(text: string): PackageFact | null {
  const [, name, version] = pinnedPackage.exec(text.slice(0, 300).trim()) ?? [];
  return name === undefined ? null : packageFact(name, version!);
}

/** Returns a package whose version can be a template. */
export function packageFact(name: string, version: string): PackageFact {
  return {
    artifact: { kind: 'tool', name },
    origin: { type: 'tool' },
    isOriginGuessed: true,
    ...readPackageVersion(version),
    ...factDefaults,
    note: `version of the package ${name}`.slice(0, 300),
  };
}

/** Classifies the version of a package. In versions of Debian, `~` precedes a suffix and isn't a range. */
function readPackageVersion(text: string): ReadVersion {
  const read = readVersion(text.replaceAll(/(?<=[a-z\d])~/gi, '-'), 'tool');
  return read.version === null ? read : { ...read, version: text.trim() };
}

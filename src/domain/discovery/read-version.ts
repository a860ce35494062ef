import type { VersionState } from './fact.ts';
import type { Reason } from './reasons.ts';

export interface ReadVersion {
  version: string | null;
  state: VersionState;
  reason: Reason | null;
}

/** In which notation a version is written: what `1.2` or a word means depends on it. */
export type VersionNotation = 'chart' | 'tag' | 'ref' | 'terraform' | 'tool';

/** Stands for each character of a template that was cut out of a text. */
export const templateMark = '\uE000';

const templates = /\{\{|\}\}|\$\{|\$\(|\$[A-Za-z_]|<%|\uE000/u;

/** Whether a text holds a template or a variable. */
export function isTemplated(text: string): boolean {
  return templates.test(text);
}

const maxVersionLength = 256;

/** Classifies a version as written. Null or an empty text: the file names none. */
export function readVersion(text: string | null, notation: VersionNotation): ReadVersion {
  const version = text?.trim() ?? '';
  if (version === '') return { version: null, state: 'floating', reason: 'floating' };
  if (isTemplated(version)) return unresolved(version, 'templated');
  if (version.length > maxVersionLength || /[\s\p{Cc}]/u.test(version.replaceAll(/[ ,]/g, '')))
    return { version: null, state: 'floating', reason: 'invalid' };
  switch (notation) {
    case 'chart':
      return isRange(version, 3) ? unresolved(version, 'range') : fixed(version);
    case 'terraform': {
      const exact = version.replace(/^=\s*/, '');
      return isRange(exact, 1) ? unresolved(version, 'range') : fixed(exact);
    }
    case 'tool':
      return isRange(version, 1) ? unresolved(version, 'range') : fixed(version);
    case 'ref':
      return /^[0-9a-f]{40}$|^[0-9a-f]{64}$/i.test(version) || isShortCommit(version)
        ? unresolved(version, 'commit')
        : fixed(version);
    case 'tag':
      return isShortCommit(version) || /^(?:sha|git|commit)-?[0-9a-f]{7,64}$/i.test(version)
        ? unresolved(version, 'commit')
        : fixed(version);
  }
}

function unresolved(version: string, state: 'templated' | 'range' | 'commit'): ReadVersion {
  return { version: version.slice(0, maxVersionLength), state, reason: state };
}

/** A text without any number names a branch or a moving tag. */
function fixed(version: string): ReadVersion {
  return /\d/.test(version) && !/^(?:latest|main|master|develop|head|edge|nightly|stable)\b/i.test(version)
    ? { version, state: 'exact', reason: null }
    : { version, state: 'floating', reason: 'floating' };
}

/** Hexadecimal digits with at least one letter: a plain number of seven digits is a build or a date. */
function isShortCommit(version: string): boolean {
  return /^[0-9a-f]{7,64}$/.test(version) && /[a-f]/.test(version) && /\d/.test(version);
}

/** @param parts how many numbers an exact version has at least */
function isRange(version: string, parts: number): boolean {
  if (/[\^~<>=*|,]|\s-\s|\|\||(?:^|\.)[xX](?:\.|$)/.test(version)) return true;
  const numbers = /^v?(\d+(?:\.\d+)*)$/.exec(version)?.[1];
  return numbers !== undefined && numbers.split('.').length < parts;
}

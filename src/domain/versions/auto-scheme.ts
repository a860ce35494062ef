import {
  comparePrecedence,
  numberListKey,
  numbersPrecedence,
  prereleasePrecedence,
  stablePrecedence,
  textKey,
  toExactNumber,
} from './precedence.ts';
import { hasPrereleaseWord } from './prerelease-words.ts';
import type { Version, VersionScheme } from './version-scheme.ts';

/**
 * Reads what projects really write: `v1.2.3`, `release-1.2`, `2024.01.15`, `2024-01-15`, `1.2.3.4`, `curl-8_5_0`,
 * `3.8.0b1-alpine`, `1.25.3-debian-12-r3`, `v1.28.4+k3s1`, `controller-v1.11.2`.
 *
 * Parts: a prefix, numeric components, a suffix, build metadata after `+`. The order: the components numerically,
 * missing ones 0; a pre-release below none, none below variants by name; pre-releases among themselves by SemVer
 * 2.0.0; the numbers of the suffix; the text of prefix and suffix, so that what differs in more than spelling is never
 * equal.
 */
export const autoScheme: VersionScheme = {
  id: 'auto',
  parse: parseAuto,
  compare: comparePrecedence,
  sortKey: (version) => version.precedence,
};

const maxLength = 256;

function parseAuto(text: string): Version | null {
  if (text.length > maxLength) return null;
  if (plainText.test(text)) return plainVersion(text);
  if (isCommitId(text) || imageDigest.test(text)) return null;
  const start = findNumbers(text);
  if (start === -1) return null;
  const { components, end } = readComponents(text, start);
  const prefix = text.slice(0, start);
  const rest = text.slice(end);
  const plus = rest.indexOf('+');
  const suffix = plus === -1 ? rest : rest.slice(0, plus);
  const build = plus === -1 ? '' : rest.slice(plus);
  const name = ornament.test(prefix) ? '' : prefix.replace(trailingOrnament, '');
  const parts = readSuffix(suffix);
  const isPrerelease = parts.prerelease || isPrereleaseName(name);
  const variant = [...letterRuns(name), ...parts.letters, ...letterRuns(build)].join('-');
  // The identifiers of a pre-release say its whole suffix already.
  const remainder = isPrerelease ? build : rest;
  const precedence =
    numbersPrecedence(components) +
    (isPrerelease ? prereleasePrecedence(prereleaseIdentifiers(suffix)) : stablePrecedence) +
    textKey(variant) +
    numberListKey(remainder.match(/[0-9]+/g) ?? []) +
    textKey(nameKey(name)) +
    textKey(remainder);
  return {
    text,
    numbers: components.map(toExactNumber),
    isPrerelease,
    variant,
    prefix,
    hasSuffix: suffix !== '' || /[^+.0-9]/.test(build),
    precedence,
  };
}

/** Most versions that there are, read without looking for anything else. */
function plainVersion(text: string): Version {
  const prefix = text.startsWith('v') ? 'v' : '';
  const components = text.slice(prefix.length).split('.');
  const numbers = components.map(toExactNumber);
  const precedence = numbersPrecedence(components) + plainRest;
  return { text, numbers, isPrerelease: false, variant: '', prefix, hasSuffix: false, precedence };
}

const plainText = /^v?[0-9]+(?:\.[0-9]+)*$/;
const plainRest = stablePrecedence + textKey('') + numberListKey([]) + textKey('') + textKey('');

const ornament = /^(?:release-|version-)?[vV]?$/;
const ornamentBeforeDigit = /^(?:release-|version-)?[vV]?(?=[0-9])/;
/** The `v` of `controller-v1.11`. */
const trailingOrnament = /(?<![A-Za-z0-9])[vV]$/;

/** An abbreviated or whole SHA-1, as tags for images built from a commit and as `git describe` writes it. */
function isCommitId(token: string): boolean {
  return commitId.test(token) && /[a-f]/.test(token);
}
const commitId = /^[0-9a-f]{7,40}$/;
/** Signatures and attestations lie beside images under tags such as `sha256-….sig`. */
const imageDigest = /^(?:sha256[-:])?[0-9a-f]{64}(?![0-9A-Za-z])/;

/**
 * Where the numeric components begin, or -1. Names have digits too (`k8s-1.2`, `x86_64-1.2.3`, `java17-22.3`), so a
 * number that stands at the start of a word, then one that is dotted, is taken before others. A single number behind
 * letters counts in the first word only: `r58` is a version, `full-java17` names a platform.
 */
function findNumbers(text: string): number {
  const leading = ornamentBeforeDigit.exec(text);
  if (leading !== null && !isCommitId(wordAt(text, leading[0].length))) return leading[0].length;
  const firstWord = /^(?:release-|version-)?[^A-Za-z0-9]*/.exec(text)?.[0].length;
  let best = -1;
  let bestRank = 0;
  for (const word of text.matchAll(/[A-Za-z0-9]+/g)) {
    if (isCommitId(word[0].replace(/^g/, ''))) continue;
    for (const run of word[0].matchAll(/[0-9]+/g)) {
      const isWordStart = run.index === 0 || (run.index === 1 && /^[vV]/.test(word[0]));
      const position = word.index + run.index;
      if (isInsideDotted(text, position)) continue;
      const isDotted = /^\.[0-9]/.test(text.slice(position + run[0].length, position + run[0].length + 2));
      if (!isWordStart && !isDotted && word.index !== firstWord) continue;
      const rank = 1 + (isDotted ? 1 : 0) + (isWordStart ? 2 : 0);
      if (rank > bestRank) {
        best = position;
        bestRank = rank;
      }
    }
  }
  return best;
}

/** `22` of `go1.22` goes on with a number, it begins none. */
function isInsideDotted(text: string, position: number): boolean {
  return /^[0-9]\.$/.test(text.slice(Math.max(0, position - 2), position));
}

function wordAt(text: string, start: number): string {
  wordPattern.lastIndex = start;
  return wordPattern.exec(text)?.[0] ?? '';
}
const wordPattern = /[A-Za-z0-9]+/y;

/** Dotted numbers, a date with dashes (then perhaps a time), or at least three numbers joined by underscores. */
function readComponents(text: string, start: number): { components: string[]; end: number } {
  for (const [pattern, separator] of componentPatterns) {
    pattern.lastIndex = start;
    const match = pattern.exec(text)?.[0];
    if (match !== undefined)
      return { components: match.replace(/Z$/, '').split(separator), end: pattern.lastIndex };
  }
  return { components: ['0'], end: start };
}

const date = '(?:19|20|21)[0-9]{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])';
const componentPatterns: readonly (readonly [RegExp, RegExp])[] = [
  [new RegExp(`${date}(?:T[0-9]{2}-[0-9]{2}-[0-9]{2}Z|(?:\\.[0-9]+)*)(?![0-9])`, 'y'), /[-.T]/],
  [/[0-9]+(?:_[0-9]+){2,}(?![0-9])/y, /_/],
  [/[0-9]+(?:\.[0-9]+)*/y, /\./],
];

/** Parts between dashes are judged one by one: in `-rc1-alpine3.19` one is a pre-release, the other a variant. */
function readSuffix(suffix: string): { prerelease: boolean; letters: string[] } {
  const letters: string[] = [];
  let prerelease = false;
  for (const [index, part] of suffix.split(/[-_~/]/).entries()) {
    if (hasPrereleaseWord(part, index === 0)) prerelease = true;
    else letters.push(...letterRuns(part));
  }
  return { prerelease, letters };
}

/** Letters of a commit id name nothing. */
function letterRuns(text: string): string[] {
  const words = text.match(/[A-Za-z0-9]+/g) ?? [];
  return words
    .map((word) => word.toLowerCase())
    .filter((word) => !(isCommitId(word.replace(/^g/, '')) && /[0-9]/.test(word)))
    .flatMap((word) => word.match(/[a-z]+/g) ?? []);
}

/** `nightly-2024-01-15`, `rc/v4.1`: the whole name is the word. `test-utils-1.2` is a name. */
function isPrereleaseName(name: string): boolean {
  return /^[A-Za-z]+[^A-Za-z0-9]*$/.test(name) && hasPrereleaseWord(name, false);
}

/** `controller-v` and `Controller/` are one name. */
function nameKey(name: string): string {
  const words = name.match(/[A-Za-z0-9\u0080-\uffff]+/g) ?? [];
  // Not `toLowerCase` of the whole: a letter of another script may become two.
  return words.join('-').replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function prereleaseIdentifiers(suffix: string): string[] {
  const body = suffix.replace(/^[-._~]/, '');
  return body === '' ? [] : body.split('.');
}

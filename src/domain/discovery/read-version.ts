import { isShortCommit, readTag } from '../versions/read-tag.ts';
import type { VersionState } from './fact.ts';
import type { Reason } from './reasons.ts';

export interface ReadVersion {
  version: string | null;
  state: VersionState;
  reason: Reason | null;
}

/** Notation of a version. It defines the meaning of `1.2` or of a word. */
export type VersionNotation = 'chart' | 'tag' | 'ref' | 'terraform' | 'tool' | 'service';

/** Mark that replaces each character of a template. */
export const templateMark = '\uE000';

/** Replaces the marks of templates with `{{…}}` for display. */
export function readableText(text: string): string {
  return text.includes(templateMark) ? text.replaceAll(templateRun, '{{…}}') : text;
}

const templateRun = new RegExp(`${templateMark}+`, 'g');

const templates = /\{\{|\}\}|\$\{|\$\(|\$[A-Za-z_]|<%|<[A-Za-z][\w-]*>|\uE000/u;

/** True if a text contains a template, a variable, or a placeholder such as `<registry>`. */
export function isTemplated(text: string): boolean {
  return templates.test(text);
}

const maxVersionLength = 256;

/** Classifies a version as written. `null` and empty strings mean that the file contains no version. */
export function readVersion(text: string | null, notation: VersionNotation): ReadVersion {
  const version = readableText(text?.trim() ?? '');
  if (version === '') return { version: null, state: 'floating', reason: 'floating' };
  // An expression that isn't kept as written has nothing to show.
  if (version === '${}') return { version: null, state: 'templated', reason: 'templated' };
  if (isTemplated(version)) return unresolved(version, 'templated');
  if (version.length > maxVersionLength || /[\s\p{Cc}]/u.test(version.replaceAll(/[ ,]/g, '')))
    return { version: null, state: 'floating', reason: 'invalid' };
  switch (notation) {
    case 'chart':
      return isRange(version, 3) ? unresolved(version, 'range') : exactOrFloating(version);
    case 'terraform': {
      const exact = version.replace(/^=\s*/, '');
      return isRange(exact, 1) ? unresolved(version, 'range') : exactOrFloating(exact);
    }
    // A single number is exact, because the lifecycle of a service often contains only major versions, such
    // as `16`.
    case 'service':
      return isRange(version, 1) ? unresolved(version, 'range') : exactOrFloating(version);
    case 'tool':
      return isRange(version, 1) || isMajor(version)
        ? unresolved(version, 'range')
        : exactOrFloating(version);
    case 'ref':
      if (/^[0-9a-f]{40}$|^[0-9a-f]{64}$/i.test(version) || isShortCommit(version))
        return unresolved(version, 'commit');
      if (isNumberedName(version)) return { version, state: 'floating', reason: 'not_a_version' };
      return isBranch(version) || isMoving(version) ? floating(version) : exactOrFloating(version);
    case 'tag':
      switch (readTag(version)) {
        case 'commit':
          return unresolved(version, 'commit');
        case 'moving':
          return floating(version);
        case 'other':
          return { version, state: 'floating', reason: 'not_a_version' };
        case 'version':
          return { version, state: 'exact', reason: null };
      }
  }
}

function floating(version: string): ReadVersion {
  return { version, state: 'floating', reason: 'floating' };
}

function unresolved(version: string, state: 'templated' | 'range' | 'commit'): ReadVersion {
  return { version: version.slice(0, maxVersionLength), state, reason: state };
}

/**
 * Classifies a version that isn't a range. A text without a number is the name of a branch or a moving tag.
 */
function exactOrFloating(version: string): ReadVersion {
  return /\d/.test(version) && !movingWords.test(version)
    ? { version, state: 'exact', reason: null }
    : floating(version);
}

const movingWords =
  /^(?:latest|main|mainline|master|trunk|develop|head|edge|nightly|canary|stable|lts|current)\b/i;

/** True for a version line such as `4`, `v4`, or the year 2022. Larger numbers are build numbers or dates. */
function isMajor(version: string): boolean {
  return /^v?(?:\d{1,3}|20\d\d)$/i.test(version);
}

/** True for Git tags that are moved with each version: `v4`, `v4-node20`, `4.x`, `1.2-latest`. */
function isMoving(version: string): boolean {
  const [first = '', ...variant] = version.split('-');
  if (isMajor(first)) return variant.length === 0 || (/^[a-z]/i.test(variant[0]!) && !isBuild(variant));
  return /(?:^|\.)[x*](?:[.-]|$)|-(?:latest|nightly|edge)$/i.test(version);
}

/**
 * True for tags that identify one build, such as `12-main-0a1b2c3` and `v4-rc.1`. They end with a commit or
 * contain a pre-release stage.
 */
function isBuild(variant: readonly string[]): boolean {
  return (
    isShortCommit(variant.at(-1)!) || /^(?:g[0-9a-f]{7}|(?:alpha|beta|rc|pre|build)\.?\d)/i.test(variant[0]!)
  );
}

/**
 * True for release branches, such as `release-1.29` and `releases/v1`, and for branches of changes in
 * progress, such as `bump-3.30.7`. Release branches don't contain all numbers of a version, unlike tags.
 */
function isBranch(ref: string): boolean {
  return (
    /^(?:refs\/)?heads\/|^releases?[-/]v?\d+(?:\.\d+)?$/i.test(ref) ||
    isBranchOfOther(ref) ||
    isBranchOfChange(ref)
  );
}

function isBranchOfChange(ref: string): boolean {
  return /^(?:bump|bugfix|chore|dependabot|feat|features?|fix|hotfix|renovate|update|upgrade|wip)[-/_]/i.test(
    ref,
  );
}

/**
 * True for a name with one number, such as `buckets-3` or `release-3`. It's either a fixed tag of a repository
 * with integer versions or a branch, and the ref alone doesn't show which.
 */
function isNumberedName(ref: string): boolean {
  const name = /^([a-z][a-z\d.]*(?:[-_][a-z][a-z\d.]*)*)[-_]v?\d+$/i.exec(ref)?.[1];
  return (
    name !== undefined &&
    !/^(?:v|ver|version|rel|tag)$/i.test(name) &&
    !movingWords.test(ref) &&
    !isBranchOfChange(ref)
  );
}

/**
 * True for a branch for a version of other software, such as `terraform-0.12` for modules. A tag with a name in front,
 * such as `vpc-1.2.3`, has all numbers of a version.
 */
function isBranchOfOther(ref: string): boolean {
  const name = /^([a-z][a-z\d.]*(?:[-_][a-z][a-z\d.]*)*)[-_/]v?\d+(?:\.\d+)?$/i.exec(ref)?.[1];
  return name !== undefined && !/^(?:v|ver|version|rel|tag)$/i.test(name);
}

/**
 * True for a version range.
 *
 * @param parts Minimum number of numeric parts in an exact version.
 */
function isRange(version: string, parts: number): boolean {
  if (/[\^~<>=*|,]|\s-\s|\|\||(?:^|\.)[xX](?:\.|$)/.test(version)) return true;
  const numbers = /^v?(\d+(?:\.\d+)*)$/.exec(version)?.[1];
  return numbers !== undefined && numbers.split('.').length < parts;
}

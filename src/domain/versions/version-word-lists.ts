import {
  branchNames,
  codeNames,
  commitWords,
  ignoredSuffixWords,
  ignoredWords,
  namesWithDigits,
  platformWords,
  revisionWords,
  stageWords,
} from './version-words.ts';

/**
 * All word lists, as shown in the documentation. The examples are version strings, and a test parses them.
 */
export const versionWordLists: readonly {
  readonly name: string;
  readonly meaning: string;
  readonly examples: readonly string[];
  readonly words: readonly string[];
}[] = [
  {
    name: 'Version markers',
    meaning: 'Ignored before or after the numbers.',
    examples: ['v1.2', 'release/1.4.0', 'REL9_6_24'],
    words: [...ignoredWords],
  },
  {
    name: 'Endings',
    meaning: 'Ignored after the numbers.',
    examples: ['3.2.12.Final', '1.3.29-stable'],
    words: [...ignoredSuffixWords],
  },
  {
    name: 'Platforms',
    meaning:
      "A number after one of these words belongs to the platform and doesn't count toward a newer version.",
    examples: ['1.25.3-debian-12', '11.4.5-php8.4-fpm-alpine3.23'],
    words: [...platformWords],
  },
  {
    name: 'Code names',
    meaning: 'Also platforms. A code name with a date is an image of the distribution, not a version.',
    examples: ['12.6-bookworm', 'bookworm-20240701'],
    words: [...codeNames],
  },
  {
    name: 'Revisions',
    meaning:
      "A number after one of these words counts fixes, builds, or packages of a version. The word isn't part of the variant.",
    examples: ['9.6-p1', '1.0-hotfix1', '1.2.3-r3'],
    words: [...revisionWords],
  },
  ...['Development builds', 'Alpha', 'Beta', 'Milestone', 'Preview', 'Release candidate'].map(
    (name, level) => ({
      name: `Stage ${level + 1}: ${name.toLowerCase()}`,
      meaning: 'Pre-releases. Later stages are higher.',
      examples: [`1.0-${[...(stageWords[level] ?? [])][0]}.1`],
      words: [...(stageWords[level] ?? [])],
    }),
  ),
  {
    name: 'Branches',
    meaning: 'Versions of a line with one of these names are builds of a branch and count as pre-releases.',
    examples: ['main-20260105', 'nightly-1.2'],
    words: [...branchNames],
  },
  {
    name: 'Commits',
    meaning: 'The word and the commit ID after it are ignored.',
    examples: ['v1.3.0-40-g0123abc'],
    words: [...commitWords],
  },
  {
    name: 'Names with digits',
    meaning: 'The digits are part of the name. A number after the name is a revision.',
    examples: ['v1.28.4+k3s2', '1.2.3-arm64v8'],
    words: [...namesWithDigits],
  },
];

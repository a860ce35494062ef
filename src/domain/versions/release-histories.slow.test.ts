import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { compareForListing } from '../../../tests/helpers/list-order.ts';
import { hasTestData, testDataPath } from '../../../tests/helpers/test-data.ts';
import { latestOfJob } from '../rules/own-latest.ts';
import { prepareReleases } from '../rules/release-set.ts';
import type { Version } from './version-scheme.ts';
import { versionScheme, versionSchemeIds } from './versions.ts';

interface Tool {
  readonly tool: string;
  readonly versions: readonly { version: string; created_at: string; prerelease?: boolean }[];
}

/**
 * Latest stable version of projects that don't follow SemVer. Each entry was checked manually: it's the
 * newest version that the project intends for general use. `null` means that the project has published only
 * pre-releases.
 */
const latestStableVersions: Readonly<Record<string, string | null>> = {
  '1password-cli': '2.39.0',
  allure: '2.45.0',
  ansible: '14.3.1',
  'ansible-core': '2.21.3',
  'awscli-local': '0.22.2',
  bazel: '9.2.0',
  black: '26.5.1',
  // Older lines are still maintained: 4.5.12 was released after 5.2.0.
  blender: '5.2.0',
  bombardier: '2.0.2',
  borg: '1.4.5',
  carthage: '0.40.0',
  chezscheme: '10.4.1',
  cookiecutter: '2.7.1',
  'dbt-fusion': null,
  deno: '2.9.5',
  'docker-compose': '5.5.0',
  dotslash: '0.5.9',
  ffmpeg: '9.0.1',
  // Earlier builds have 2.x versions, which are those of the program that they wrap.
  flamingo: '0.10.2',
  fluttergen: '5.15.0',
  // Every release has a suffix, in several formats.
  'gcc-arm-none-eabi': '13.3.Rel1~amd64',
  ghcup: '0.2.6.2',
  glow: '3.0.0',
  go: '1.27.0',
  // The earliest tags begin with the project name.
  'google-java-format': '1.36.1',
  gsudo: '2.6.1',
  hatch: '1.18.0',
  helix: '25.07.1',
  'helm-cr': '1.8.1',
  'hledger-flow': '0.16.4',
  hugo: '0.165.0',
  // Version 1.0.0 has been in beta for years.
  kpt: '0.39.3',
  kubebuilder: '4.15.0',
  lazydocker: '0.25.2',
  lazygit: '0.64.1',
  make: '4.4.1',
  micro: '2.0.15',
  microsandbox: '0.6.14',
  onyx: null,
  patat: '0.15.2.0',
  // Plugins are in the same list, under separate names.
  pipectl: '0.57.0',
  pipenv: '2026.8.0',
  // The versions changed from three components to two.
  protobuf: '36.0',
  'protoc-gen-js': '4.0.2',
  purescript: '0.15.16',
  // The versions are dates with dashes.
  'rust-analyzer': '2026-08-17.4',
  s5cmd: '2.3.0',
  scaleway: '2.61.0',
  spark: '4.1.1',
  sshuttle: '1.3.2',
  // Release candidates are tagged as `rc/v…`.
  stack: '3.11.1',
  taplo: '0.10.0',
  tfctl: '0.16.5',
  tinytex: '2026.08',
  // Most releases in the list belong to a database that is published together with the program.
  tirith: '0.3.3',
  'trzsz-ssh': '0.1.26',
  // Most releases are weekly builds.
  v: '0.5.2',
  vivid: '0.11.1',
  websocat: '1.14.1',
  // The project marked version 3.2.0 as a pre-release.
  werf: '3.1.0',
  // The list contains thousands of branch builds named `0.0.0-<commit>`.
  wrangler: '4.125.0',
  xchtmlreport: '3.0.0',
  yarn: '4.18.0',
  yj: '5.1.0',
  'yt-dlp': '2026.08.19',
  zephyr: '0.5.2',
};

/** Release lists that contain several products or channels. A `version_pattern` selects one of them. */
const latestStableByPattern: readonly (readonly [tool: string, pattern: RegExp, expected: string])[] = [
  // The first eleven releases of CoreDNS are numbered 001 to 011, so they have higher major versions than many later
  // releases.
  ['coredns', /^.*$/, '1.14.7'],
  ['coredns', /^\d+\.\d+\.\d+$/, '1.14.7'],
  ['linkerd', /^stable-(.*)$/, '2.14.10'],
  ['linkerd', /^(?:edge-)?(\d.*)$/, '26.8.3'],
  ['java', /^temurin-(\d.*)$/, '26.0.2+10'],
  ['java', /^temurin-(21\..*)$/, '21.0.12+101.0.LTS'],
  ['java', /^zulu-(\d.*)$/, '26.32.203.0'],
  ['java', /^corretto-(\d.*)$/, '26.0.2.11.1'],
  ['java', /^liberica-(\d.*)$/, '26.0.2.1+1'],
  ['java', /^graalvm-community-(\d.*)$/, '25.0.2'],
  ['java', /^jetbrains-(\d.*)$/, '25.0.4-b508.27'],
  [
    'python-precompiled-x86_64-unknown-linux-gnu',
    /^cpython-(.*)\+\d+-x86_64-unknown-linux-gnu-debug/,
    '3.14.7',
  ],
];

describe.skipIf(!hasTestData)('real release histories', () => {
  const tools = new Map<string, Tool>();
  const auto = versionScheme('auto');

  beforeAll(() => {
    const lines = readFileSync(testDataPath('release-history/mise-versions.jsonl'), 'utf8')
      .trimEnd()
      .split('\n');
    for (const line of lines.slice(1)) {
      const tool = JSON.parse(line) as Tool;
      tools.set(tool.tool, tool);
    }
  });

  function latestStable(name: string, pattern = /^.*$/): string | null {
    const rows = (tools.get(name)?.versions ?? []).flatMap((release) => {
      const match = pattern.exec(release.version);
      if (match === null) return [];
      return [
        {
          version: match[1] ?? match[0],
          releasedAtMs: Date.parse(release.created_at),
          discoveredAtMs: 0,
          isPrerelease: release.prerelease === true,
          isYanked: false,
          isWithdrawn: false,
          url: null,
        },
      ];
    });
    return latestOfJob(prepareReleases('auto', rows), ({ isPrerelease }) => !isPrerelease)?.text ?? null;
  }

  test('every tag with a number is parsed as a version', () => {
    const texts = [...tools.values()].flatMap((tool) => tool.versions.map((release) => release.version));
    expect(texts.length).toBeGreaterThan(90_000);
    const unread = new Set(texts.filter((text) => auto.parse(text) === null));
    expect([...unread].toSorted()).toEqual(['dev', 'latest', 'nightly', 'threatdb-latest']);
  });

  test.for(versionSchemeIds)(
    'the %s scheme sorts every history the same way regardless of the initial order',
    (id) => {
      const scheme = versionScheme(id);
      const sorted = (versions: readonly Version[]) =>
        versions.toSorted((a, b) => compareForListing(scheme, a, b)).map((version) => version.text);
      for (const { tool, versions } of tools.values()) {
        const read = versions
          .map((release) => scheme.parse(release.version))
          .filter((version) => version !== null);
        expect([tool, sorted(shuffle(read))]).toEqual([tool, sorted(read)]);
      }
    },
  );

  test('the list order is total and transitive for any three real tags, and each sort key begins with the rank', () => {
    const texts = [
      ...new Set([...tools.values()].flatMap((tool) => tool.versions.map(({ version }) => version))),
    ];
    const versions = [...texts, ...imageTags()].flatMap((text) => auto.parse(text) ?? []);
    expect(versions.length).toBeGreaterThan(100_000);
    const keys = versions.map((version) => auto.sortKey(version));
    const next = randomNumbers();
    // Half of the samples are near the first one, where errors are most likely.
    const near = (index: number) =>
      next() % 2 === 0 ? next() % versions.length : (index + (next() % 200)) % versions.length;
    for (let count = 0; count < 200_000; count += 1) {
      const first = next() % versions.length;
      const [low, middle, high] = [first, near(first), near(first)].toSorted((a, b) =>
        compareForListing(auto, versions[a]!, versions[b]!),
      ) as [number, number, number];
      const isOrdered =
        compareForListing(auto, versions[low]!, versions[high]!) <= 0 &&
        keys[low]! <= keys[middle]! &&
        keys[middle]! <= keys[high]! &&
        versions[low]!.rank <= versions[middle]!.rank &&
        versions[middle]!.rank <= versions[high]!.rank;
      if (!isOrdered) expect([low, middle, high].map((index) => versions[index]!.text)).toEqual('ordered');
    }
    for (const [index, { rank }] of versions.entries()) {
      if (!keys[index]!.startsWith(rank)) expect(keys[index]).toBe(rank);
    }
  });

  test('pre-releases of the same version and stage are ordered by their numbers in every history', () => {
    let pairs = 0;
    const wrong: string[] = [];
    for (const { tool, versions } of tools.values()) {
      for (const stage of sameStages(versions.map(({ version }) => version))) {
        for (const [index, a] of stage.entries()) {
          for (const b of stage.slice(index + 1)) {
            pairs += 1;
            const [left, right] = [auto.parse(a.text), auto.parse(b.text)];
            const order = left && right && Math.sign(auto.compare(left, right));
            if (order !== compareNumbers(a.numbers, b.numbers) || !left?.isPrerelease) {
              wrong.push(`${tool} ${a.text} ${b.text}`);
            }
          }
        }
      }
    }
    expect(pairs).toBeGreaterThan(30_000);
    expect(wrong).toEqual([]);
  });

  test('the latest stable version is the same as with the npm package `semver`', () => {
    const content = readFileSync(testDataPath('lag/semver-lag-oracle.json'), 'utf8');
    const { cases } = JSON.parse(content) as { cases: { tool: string; latestStable: string }[] };
    const rows = cases.filter((row) => tools.has(row.tool));
    const expected = new Map(rows.map((row) => [row.tool, row.latestStable]));
    expect(expected.size).toBeGreaterThan(100);
    const found = new Map([...expected.keys()].map((tool) => [tool, latestStable(tool)]));
    expect(found).toEqual(expected);
  });

  test("the latest stable version is correct for projects that don't follow SemVer", () => {
    const found = Object.fromEntries(
      Object.keys(latestStableVersions).map((tool) => [tool, latestStable(tool)]),
    );
    expect(found).toEqual(latestStableVersions);
  });

  test('a pattern selects one of several products in the same release list', () => {
    for (const [tool, pattern, expected] of latestStableByPattern) {
      expect([tool, pattern, latestStable(tool, pattern)]).toEqual([tool, pattern, expected]);
    }
  });
});

/**
 * Groups versions that differ only in the numbers of their stage, such as `1.0-rc.2` and `1.0-rc.10`. The
 * pattern is independent of the one under test.
 */
function sameStages(texts: readonly string[]): { text: string; numbers: bigint[] }[][] {
  const stages = new Map<string, { text: string; numbers: bigint[] }[]>();
  for (const text of texts) {
    const match =
      /^(.*?\d)([-._~]?)(alpha|beta|rc|pre|preview|dev|snapshot|nightly|canary|m|milestone|a|b|ea|next)[-._]?(\d+)(?:[-._](\d+))?$/i.exec(
        text,
      );
    if (match === null) continue;
    const [, base, separator, word = '', first = '0', second = '-1'] = match;
    // Excludes `-b1522.3`, which is a build number, and `0.0.0-4a10176`, which contains a commit ID.
    if (/^[ab]$/i.test(word) && (separator !== '' || !/^\d+(?:\.\d+)+$/.test(base ?? ''))) continue;
    if (base?.startsWith('0.0.0-')) continue;
    const key = `${base} ${word.toLowerCase()}`;
    const list = stages.get(key) ?? [];
    list.push({ text, numbers: [BigInt(first), BigInt(second)] });
    stages.set(key, list);
  }
  return [...stages.values()];
}

function compareNumbers(a: readonly bigint[], b: readonly bigint[]): number {
  for (const [index, number] of a.entries()) {
    const other = b[index] ?? 0n;
    if (number !== other) return number < other ? -1 : 1;
  }
  return 0;
}

function imageTags(): string[] {
  const text = readFileSync(testDataPath('oci/docker-official-images-all-tags-ever.jsonl'), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .slice(1)
    .flatMap((line) => (JSON.parse(line) as { tags: string[] }).tags);
}

/** Returns a generator that produces the same pseudorandom numbers in every run. */
function randomNumbers(): () => number {
  let state = 12_345;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 3;
  };
}

/** Shuffles the items in the same way in every run. */
function shuffle<Item>(items: readonly Item[]): Item[] {
  const shuffled = [...items];
  let state = 12_345;
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    const other = state % (last + 1);
    [shuffled[last], shuffled[other]] = [shuffled[other] as Item, shuffled[last] as Item];
  }
  return shuffled;
}

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasTestData, testDataPath } from '../../../tests/helpers/test-data.ts';
import { codeNames, platformWords } from '../versions/version-words.ts';
import { versionScheme } from '../versions/versions.ts';
import { judge, type Verdict } from './judge.ts';
import { latestOfJob } from './own-latest.ts';
import { prepareReleases, type ReleaseSet } from './release-set.ts';
import { utcTime } from './release-set-fixture.ts';
import { resolveDeployed } from './resolve-deployed.ts';
import { dayMs } from './stored-lag.ts';

/**
 * Tags of an official image. Either the current tags, or all tags that ever existed with the date on which
 * each was first seen.
 */
interface Image {
  readonly name: string;
  readonly tags: readonly string[];
  readonly firstSeen?: Readonly<Record<string, string>>;
}

const nowMs = utcTime('2026-09-01');

/**
 * Latest stable release of each official image, as reviewed manually. `null` if the image has no stable
 * release.
 */
const latestOfImages: Readonly<Record<string, string | null>> = {
  // Every release belongs to one of two editions, so the latest one has an edition prefix.
  aerospike: 'ce-8.1.2.4_1',
  // Tags without a build date move, so the latest release is a tag with a build date.
  almalinux: '10.2-20260602',
  // 20260805 is a snapshot of edge. It's an outlier, because the versions of its line have dots.
  alpine: '3.24.1',
  'api-firewall': '0.9.6',
  backdrop: '1.34.2',
  bash: '5.3.15',
  caddy: '2.11.4',
  cassandra: '5.0.9',
  chronograf: '1.11.4',
  cirros: '0.6.3',
  // No tag contains a number.
  clearlinux: null,
  clefos: null,
  clickhouse: '26.7.5.10',
  composer: '2.10.2',
  docker: '29.7.2',
  // Every release has a variant, and the tags 26 and 8 move. Among tags of equal rank, the most complete is
  // chosen.
  'eclipse-temurin': '26.0.2_10-jre',
  eggdrop: '1.10.1',
  emqx: '5.8.8',
  flink: '2.3.0',
  fluentd: 'v1.19.3-1.0',
  geonetwork: '4.4.12',
  ghost: '6.59.0',
  golang: '1.27.0',
  groovy: '5.1.0',
  // 3.5-dev5 is a pre-release, so it isn't the latest stable release.
  haproxy: '3.4.3',
  hitch: '1.8.0-1',
  httpd: '2.4.68',
  ibmjava: '8',
  // From version 3 on, every tag contains the core or the enterprise edition, so the latest release without
  // an edition is expected.
  influxdb: '2.9.1',
  jruby: '10.1.1.0',
  krakend: '2.13.10',
  liquibase: '5.0.1',
  logstash: '9.5.2',
  mageia: '10',
  matomo: '5.13.0',
  mediawiki: '1.46.0',
  memcached: '1.6.45',
  mongo: '8.3.8',
  'mongo-express': null,
  nextcloud: '34.0.3',
  node: '26.7.0',
  notary: null,
  odoo: '19.0-20260817',
  // Every release has a Java variant, so the latest one includes a variant.
  'open-liberty': '26.0.0.8-full-java17-openj9',
  // Only early-access builds and release candidates exist.
  openjdk: null,
  // An odd second number marks a development release of Perl, but the tags don't indicate that, so 5.45.2 is
  // considered stable.
  perl: '5.45.2',
  photon: '5.0-20260727',
  'php-zendserver': null,
  postgres: '18.6',
  // The tag consists of the Python version and the PyPy version, which is treated as a revision.
  pypy: '3.11-7.3.23',
  'r-base': '4.6.1',
  'rakudo-star': '2026.06-trixie',
  redis: '8.10.1',
  redmine: '7.0.0',
  registry: '3.1.1',
  'rocket.chat': '8.5.1',
  // The tags are only code names.
  ros: null,
  spiped: '1.6.4',
  swift: '6.3.3',
  swipl: '10.1.13',
  telegraf: '1.39.3',
  traefik: 'v3.7.11',
  // 26.10 isn't an LTS release, but it's the latest one. Users who want only LTS releases set a pattern.
  ubuntu: '26.10',
  xwiki: '18.6.0',
};

/**
 * Release that each moving tag resolves to on a date. `null` if the tag belongs to no release on that date or
 * isn't a version.
 */
const movingTags: readonly (readonly [
  image: string,
  tag: string,
  byDay: Readonly<Record<string, string | null>>,
])[] = [
  [
    'node',
    '20-alpine',
    {
      '2017-07-01': null,
      '2019-01-01': null,
      '2021-06-01': null,
      '2023-06-01': '20.2.0-alpine3.17',
      '2026-08-01': '20.20.2-alpine3.23',
    },
  ],
  [
    'node',
    '8',
    {
      '2017-07-01': '8.1.2',
      '2019-01-01': '8.15.0',
      '2021-06-01': '8.17.0',
      '2023-06-01': '8.17.0',
      '2026-08-01': '8.17.0',
    },
  ],
  [
    'postgres',
    '10',
    {
      '2017-07-01': '10-beta1',
      '2019-01-01': '10.6',
      '2021-06-01': '10.17',
      '2023-06-01': '10.21',
      '2026-08-01': '10.21',
    },
  ],
  [
    'postgres',
    '9.6',
    {
      '2017-07-01': '9.6.3',
      '2019-01-01': '9.6.11',
      '2021-06-01': '9.6.22',
      '2023-06-01': '9.6.24',
      '2026-08-01': '9.6.24',
    },
  ],
  [
    'postgres',
    '16-alpine',
    {
      '2017-07-01': null,
      '2019-01-01': null,
      '2021-06-01': null,
      '2023-06-01': '16beta1-alpine3.18',
      '2026-08-01': '16.14-alpine3.24',
    },
  ],
  [
    'golang',
    '1.11',
    {
      '2017-07-01': null,
      '2019-01-01': '1.11.4',
      '2021-06-01': '1.11.13',
      '2023-06-01': '1.11.13',
      '2026-08-01': '1.11.13',
    },
  ],
  [
    'golang',
    '1',
    {
      '2017-07-01': '1.8.3',
      '2019-01-01': '1.11.4',
      '2021-06-01': '1.16.4',
      '2023-06-01': '1.20.4',
      '2026-08-01': '1.26.5',
    },
  ],
  [
    'redis',
    '5-alpine',
    {
      '2017-07-01': null,
      '2019-01-01': '5.0.3-alpine3.8',
      '2021-06-01': '5.0.12-alpine3.13',
      '2023-06-01': '5.0.14-alpine3.16',
      '2026-08-01': '5.0.14-alpine3.16',
    },
  ],
  [
    'httpd',
    '2.4',
    {
      '2017-07-01': '2.4.25',
      '2019-01-01': '2.4.37',
      '2021-06-01': '2.4.48',
      '2023-06-01': '2.4.57',
      '2026-08-01': '2.4.68',
    },
  ],
  [
    'traefik',
    'v2.10',
    {
      '2017-07-01': null,
      '2019-01-01': null,
      '2021-06-01': null,
      '2023-06-01': 'v2.10.1',
      '2026-08-01': 'v2.10.7',
    },
  ],
  [
    'eclipse-temurin',
    '17',
    {
      '2017-07-01': null,
      '2019-01-01': null,
      '2021-06-01': null,
      '2023-06-01': '17.0.7_7-jre-windowsservercore-ltsc2022',
      '2026-08-01': '17.0.19_10-jre-alpine-3.23',
    },
  ],
  [
    'eclipse-temurin',
    '8-jdk',
    {
      '2017-07-01': null,
      '2019-01-01': null,
      '2021-06-01': null,
      '2023-06-01': '8u372-b07-jdk',
      '2026-08-01': '8u492-b09-jdk',
    },
  ],
  [
    'haproxy',
    '2',
    {
      '2017-07-01': null,
      '2019-01-01': null,
      '2021-06-01': '2.4.0',
      '2023-06-01': '2.8.0',
      '2026-08-01': '2.9.15',
    },
  ],
  [
    'docker',
    '18',
    {
      '2017-07-01': null,
      '2019-01-01': '18.09.0',
      '2021-06-01': '18.09.9',
      '2023-06-01': '18.09.9',
      '2026-08-01': '18.09.9',
    },
  ],
  [
    'mongo',
    '4.2',
    {
      '2017-07-01': null,
      '2019-01-01': null,
      '2021-06-01': '4.2.14',
      '2023-06-01': '4.2.24',
      '2026-08-01': '4.2.24',
    },
  ],
  [
    'cassandra',
    '3.11',
    {
      '2017-07-01': '3.11.0',
      '2019-01-01': '3.11.3',
      '2021-06-01': '3.11.10',
      '2023-06-01': '3.11.15',
      '2026-08-01': '3.11.19',
    },
  ],
  [
    'nextcloud',
    '27-apache',
    {
      '2017-07-01': null,
      '2019-01-01': null,
      '2021-06-01': null,
      '2023-06-01': null,
      '2026-08-01': '27.1.11-apache',
    },
  ],
  [
    'alpine',
    '3',
    {
      '2017-07-01': '3.6',
      '2019-01-01': '3.8',
      '2021-06-01': '3.13.5',
      '2023-06-01': '3.18.0',
      '2026-08-01': '3.24.1',
    },
  ],
];

describe.skipIf(!hasTestData)('the tags of official images', () => {
  const current = images('docker-official-images-current-tags.jsonl');
  const ever = images('docker-official-images-all-tags-ever.jsonl');

  it('have the latest release that an engineer would choose', () => {
    const found = Object.fromEntries(
      current.map((image) => [image.name, latestStable(toSet(image))?.text ?? null]),
    );
    expect(found).toEqual(latestOfImages);
  });

  it('have the same latest release when their whole history is included', () => {
    const inBoth = ever.filter(({ name }) => name in latestOfImages);
    expect(inBoth.length).toBeGreaterThan(10);
    for (const image of inBoth) {
      expect([image.name, latestStable(toSet(image))?.text]).toEqual([
        image.name,
        latestOfImages[image.name],
      ]);
    }
  });

  it('are never the latest release if they contain only a platform', () => {
    for (const image of [...current, ...ever]) {
      const set = toSet(image);
      for (const tag of image.tags) {
        const { latestVersion } = judgeTag(set, tag);
        if (latestVersion !== null && isPlatformOnly(latestVersion)) {
          expect([image.name, tag, latestVersion]).toEqual('the tag of a version');
        }
      }
    }
  });

  it("aren't behind if they contain the newest version", () => {
    const scheme = versionScheme('auto');
    let carrying = 0;
    const behind: string[] = [];
    for (const image of [...current, ...ever]) {
      const set = toSet(image);
      const newest = latestStable(set)?.version;
      for (const tag of image.tags) {
        const version = scheme.parse(tag);
        if (
          !newest ||
          version?.line !== newest.line ||
          version.numbers.join('.') !== newest.numbers.join('.')
        )
          continue;
        if (version.isPrerelease) continue;
        carrying += 1;
        if (judgeTag(set, tag).state === 'alerting') behind.push(`${image.name}:${tag}`);
      }
    }
    expect(carrying).toBeGreaterThan(400);
    expect(behind).toEqual([]);
  });

  it.each(movingTags)('%s:%s resolves to the highest release of each day', (name, tag, byDay) => {
    const image = ever.find((one) => one.name === name);
    const found = Object.fromEntries(
      Object.keys(byDay).map((day) => {
        const { movesTo } = resolveDeployed(tag, toSet(image!, utcTime(day)));
        return [day, movesTo?.text ?? null];
      }),
    );
    expect(found).toEqual(byDay);
  });
});

function images(file: string): Image[] {
  if (!hasTestData) return [];
  const lines = readFileSync(testDataPath(`oci/${file}`), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1);
  return lines.map((line) => {
    const image = JSON.parse(line) as Image;
    return { ...image, name: image.name.replace('library/', '') };
  });
}

/**
 * Returns the releases that existed at a time. Tags without dates were all discovered at the same time, 400
 * days ago.
 */
function toSet({ tags, firstSeen }: Image, untilMs = nowMs): ReleaseSet {
  const rows = tags.flatMap((version) => {
    const seen = firstSeen?.[version];
    const releasedAtMs = seen === undefined ? null : Date.parse(seen);
    if (releasedAtMs !== null && releasedAtMs > untilMs) return [];
    const discoveredAtMs = nowMs - 400 * dayMs;
    return [
      {
        version,
        releasedAtMs,
        discoveredAtMs,
        isPrerelease: false,
        isYanked: false,
        isWithdrawn: false,
        url: null,
      },
    ];
  });
  return prepareReleases('auto', rows, { isImage: true });
}

function latestStable(set: ReleaseSet) {
  return latestOfJob(set, ({ isPrerelease }) => !isPrerelease);
}

function judgeTag(releases: ReleaseSet, deployedVersion: string): Verdict {
  return judge({
    rule: {
      type: 'days_behind',
      thresholds: { moderate: 1 },
      stableOnly: true,
      daysBasis: 'first_newer_release',
      minReleaseAgeDays: 0,
    },
    options: { candidatePattern: null, ignoredVersions: [] },
    deployedVersion,
    releases,
    nowMs,
  });
}

/**
 * Returns true if every part of the tag that contains digits is a platform word. The check is independent of the
 * product code.
 */
function isPlatformOnly(tag: string): boolean {
  const parts = tag.split('-');
  const numbered = parts.filter((part) => /[0-9]/.test(part));
  return (
    numbered.length > 0 &&
    numbered.every((part) => {
      const word = /^([a-z]+)[0-9.]+$/.exec(part)?.[1];
      const before = parts[parts.indexOf(part) - 1] ?? '';
      const isDate = /^20[0-9]{6}$/.test(part) && codeNames.has(before);
      return isDate || (word !== undefined && platformWords.has(word));
    })
  );
}

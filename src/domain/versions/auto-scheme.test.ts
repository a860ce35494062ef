import { describe, expect, test } from 'vitest';
import { autoScheme, createAutoScheme } from './auto-scheme.ts';

describe('version parsing', () => {
  type Expected = {
    numbers: (number | bigint)[];
    line?: string;
    variant?: string;
    platformNumbers?: string[];
    revision?: string[];
    isPrerelease?: boolean;
    isJoined?: boolean;
    isDate?: boolean;
  } | null;

  /** Checks the parsed fields. Unless listed, a field must have the value that it has for `1.2.3`. */
  function check(table: Readonly<Record<string, Expected>>, scheme = autoScheme): void {
    for (const [text, expected] of Object.entries(table)) {
      const parsed = scheme.parse(text);
      const { numbers, line, variant, platformNumbers, revision, isPrerelease, isJoined, isDate } =
        parsed ?? {};
      expect(
        parsed && { text, numbers, line, variant, platformNumbers, revision, isPrerelease, isJoined, isDate },
      ).toEqual(
        expected && {
          text,
          line: '',
          variant: '',
          platformNumbers: [],
          revision: [],
          isPrerelease: false,
          isJoined: false,
          isDate: false,
          ...expected,
        },
      );
    }
  }

  test('a version has one or more numbers of any size, and leading zeros are ignored', () => {
    check({
      '1.25.3': { numbers: [1, 25, 3] },
      '7': { numbers: [7] },
      '1.2.3.4': { numbers: [1, 2, 3, 4] },
      'v9.1.0400': { numbers: [9, 1, 400] },
      '9007199254740991.9007199254740993': { numbers: [9_007_199_254_740_991, 9_007_199_254_740_993n] },
    });
  });

  test('a date can be one number or numbers joined by dashes, and can include a time', () => {
    check({
      '20230601': { numbers: [20_230_601], isDate: true },
      '20236001': { numbers: [20_236_001] },
      '2026-08-17': { numbers: [2026, 8, 17], isDate: true },
      '2026-08-17.4': { numbers: [2026, 8, 17, 4], isDate: true },
      '2026-07': { numbers: [2026, 7], isDate: true },
      'RELEASE.2024-07-21T11-33-05Z': { numbers: [2024, 7, 21, 11, 33, 5], isDate: true },
      '2024.01': { numbers: [2024, 1] },
      '2026-13-01': { numbers: [2026, 13, 1] },
    });
  });

  test("digests and range operators are removed, and an epoch isn't part of the numbers", () => {
    check({
      '1.26.0-alpine@sha256:761c3189c482d0f1f0ad3735ca05c4c398cae201d2169f6645280c7b7b2ce6fc': {
        numbers: [1, 26, 0],
        variant: 'alpine',
      },
      '~> 1.2.0': { numbers: [1, 2, 0] },
      '^1.3.0': { numbers: [1, 3, 0] },
      '>= 1.2': { numbers: [1, 2] },
      '=1.2': { numbers: [1, 2] },
      ' 1.2.3 ': { numbers: [1, 2, 3] },
      '1:9.18.24-1': { numbers: [9, 18, 24], revision: ['1'] },
    });
  });

  test('prefixes such as `v` and `release` are ignored, in any case, with or without a separator', () => {
    for (const ornament of ['v', 'V', 'v.', 'ver', 'version-', 'release-', 'release/', 'Release_', 'rel/']) {
      check({ [`${ornament}1.2.3`]: { numbers: [1, 2, 3] } });
    }
    check({
      'release-v1.2': { numbers: [1, 2] },
      REL9_6_24: { numbers: [9, 6, 24] },
      'rel/nifi-1.26.0': { numbers: [1, 26, 0], line: 'nifi' },
      'controller-v1.11': { numbers: [1, 11], line: 'controller' },
    });
  });

  test('all other words before the numbers are the line, including platform words', () => {
    check({
      'helm-chart-4.11': { numbers: [4, 11], line: 'helm-chart' },
      'go1.22.3': { numbers: [1, 22, 3], line: 'go' },
      'jdk-17.0.12+7': { numbers: [17, 0, 12], line: 'jdk', revision: ['7'] },
      'kustomize/v5.0.1': { numbers: [5, 0, 1], line: 'kustomize' },
      '@scope/name@1.2.3': { numbers: [1, 2, 3], line: 'scope-name' },
      OpenSSL_1_1_1w: { numbers: [1, 1, 1], line: 'openssl' },
      'alpine3.24': { numbers: [3, 24], line: 'alpine' },
      'bookworm-20240701': { numbers: [20_240_701], line: 'bookworm', isDate: true },
      r58: { numbers: [58], line: 'r' },
      'ingress-nginx-3.1-debug': { numbers: [3, 1], line: 'ingress-nginx', variant: 'debug' },
    });
  });

  test("digits in a name aren't parsed as version numbers", () => {
    check({
      'k8s-1.2': { numbers: [1, 2], line: 'k8s' },
      'x86_64-1.2.3': { numbers: [1, 2, 3], line: 'x86-64' },
      'graalvm-java17-22.3.1': { numbers: [22, 3, 1], line: 'graalvm-java17' },
      'plugin2/exp/v1.0.0': { numbers: [1, 0, 0], line: 'plugin2-exp' },
      'semeru-openj9-8u302-b08': { numbers: [8], line: 'semeru-openj9', revision: ['302', '08'] },
      'full-java17': { numbers: [17], line: 'full-java' },
      'tool-5+1.2': { numbers: [5], line: 'tool', revision: ['1', '2'] },
      'api-v2-1.5.0': { numbers: [1, 5, 0], line: 'api-v2' },
      'tool-5-rc.1.2': { numbers: [5], line: 'tool', isPrerelease: true },
      'tool-v5-alpine-3.19': { numbers: [5], line: 'tool', variant: 'alpine', platformNumbers: ['3', '19'] },
      'rc-32bit': null,
      '389-ds-base-3.0.2': { numbers: [3, 0, 2], line: '389-ds-base' },
      '389-ds-base-3.0.2.rc1': { numbers: [3, 0, 2], line: '389-ds-base', isPrerelease: true },
      'v3/integrations/nrpq/v1.1.1': { numbers: [1, 1, 1], line: 'v3-integrations-nrpq' },
      'v3/go/test/v1.1': { numbers: [1, 1], line: 'v3-go-test' },
      'v4l-utils-1.26': { numbers: [1, 26], line: 'v4l-utils' },
      '2fa@1.2.0': { numbers: [1, 2, 0], line: '2fa' },
      '8-jdk-alpine-3.20': { numbers: [8], variant: 'jdk-alpine', platformNumbers: ['3', '20'] },
      '7-rc1-1.2': { numbers: [7], isPrerelease: true },
      '7-build-1.2': { numbers: [7], revision: ['1', '2'] },
      '3.1-ds-base-3.0.2': { numbers: [3, 1], variant: 'ds-base', revision: ['3', '0', '2'] },
      '20240501-nightly-1.2': { numbers: [20_240_501], isDate: true, isPrerelease: true },
      '634-all-dirs': { numbers: [634], variant: 'all-dirs' },
    });
  });

  test('words after the numbers are the variant, except for words without meaning', () => {
    check({
      '17.1.0-ce.0': { numbers: [17, 1, 0], variant: 'ce', revision: ['0'] },
      '3.7-Alpine': { numbers: [3, 7], variant: 'alpine' },
      '5.0.Final': { numbers: [5, 0] },
      '2.3.12.RELEASE': { numbers: [2, 3, 12] },
      '1.3.29-stable': { numbers: [1, 3, 29] },
      'v24.3.4.147-lts': { numbers: [24, 3, 4, 147], variant: 'lts' },
      '1.x': { numbers: [1], variant: 'x' },
      'v1.29.4-eks-036c24b': { numbers: [1, 29, 4], variant: 'eks' },
      '2.6.17-32bit': { numbers: [2, 6, 17], variant: '32bit' },
      '3.9.10+20220227-x86_64_v2-linux': {
        numbers: [3, 9, 10],
        variant: 'x86_64_v2-linux',
        revision: ['20220227'],
      },
    });
  });

  test('a number after a platform word is a platform number, and any other number in the suffix is part of the revision', () => {
    check({
      '11.4.5-php8.4-fpm-alpine3.23': {
        numbers: [11, 4, 5],
        variant: 'php-fpm-alpine',
        platformNumbers: ['8', '4', '3', '23'],
      },
      '1.25.3-debian-12-r3': {
        numbers: [1, 25, 3],
        variant: 'debian',
        platformNumbers: ['12'],
        revision: ['3'],
      },
      '7.5.0-1-ubi8': { numbers: [7, 5, 0], variant: 'ubi', platformNumbers: ['8'], revision: ['1'] },
      'v1.28.4+k3s2': { numbers: [1, 28, 4], variant: 'k3s', revision: ['2'] },
      'v1.30.1+rke2r1': { numbers: [1, 30, 1], variant: 'rke2r', revision: ['1'] },
      '1.30.1-gke.1156000': { numbers: [1, 30, 1], variant: 'gke', revision: ['1156000'] },
      '1.2.3-ls110': { numbers: [1, 2, 3], revision: ['110'] },
      '9.6-p1': { numbers: [9, 6], revision: ['1'] },
      '1.1.post1': { numbers: [1, 1], revision: ['1'] },
      '1.0-hotfix1': { numbers: [1, 0], revision: ['1'] },
      'v11.0.0+security-01': { numbers: [11, 0, 0], revision: ['01'] },
      '8u412-b08': { numbers: [8], revision: ['412', '08'] },
      '7.2.0-v10': { numbers: [7, 2, 0], revision: ['10'] },
      '100.1.0+up19.0.3': { numbers: [100, 1, 0], revision: ['19', '0', '3'] },
      '1.1.1u': { numbers: [1, 1, 1] },
      '2022-CU13-ubuntu-22.04': {
        numbers: [2022],
        variant: 'ubuntu',
        platformNumbers: ['22', '04'],
        revision: ['13'],
      },
      '10.2.3-h2': { numbers: [10, 2, 3], revision: ['2'] },
      '12.5.0-devel-ubuntu22.04': {
        numbers: [12, 5, 0],
        variant: 'devel-ubuntu',
        platformNumbers: ['22', '04'],
      },
      '21.0.4_7': { numbers: [21, 0, 4], revision: ['7'] },
    });
  });

  test('custom platform words are parsed as platforms', () => {
    check({
      '1.2.3-acmeos7': { numbers: [1, 2, 3], variant: 'acmeos', revision: ['7'] },
      'tool-5-acmeos-3.19': { numbers: [3, 19], line: 'tool-5-acmeos' },
    });
    check(
      {
        '1.2.3-acmeos7': { numbers: [1, 2, 3], variant: 'acmeos', platformNumbers: ['7'] },
        '1.2.3-AcmeOS7.1-r2': {
          numbers: [1, 2, 3],
          variant: 'acmeos',
          platformNumbers: ['7', '1'],
          revision: ['2'],
        },
        '1.2.3-alpine3': { numbers: [1, 2, 3], variant: 'alpine', platformNumbers: ['3'] },
        'tool-5-acmeos-3.19': { numbers: [5], line: 'tool', variant: 'acmeos', platformNumbers: ['3', '19'] },
      },
      createAutoScheme(['acmeos']),
    );
  });

  test('two numbers joined by `_` or `-` are parsed like dotted numbers, or as a number and a revision among dotted versions', () => {
    check({
      'release-74-2': { numbers: [74, 2], isJoined: true },
      REL_17_5: { numbers: [17, 5], isJoined: true },
      V_9_8_P1: { numbers: [9, 8], isJoined: true, revision: ['1'] },
      'curl-8_5_0': { numbers: [8, 5, 0], line: 'curl' },
    });
    const among = autoScheme.parseAmongDotted('21_35-jdk');
    expect([among?.numbers, among?.revision]).toEqual([[21], ['35']]);
    expect(autoScheme.parseAmongDotted('1_1_1')?.numbers).toEqual([1, 1, 1]);
    expect(autoScheme.parseAmongDotted('2024-01-15')?.numbers).toEqual([2024, 1, 15]);
  });

  test('a stage anywhere in the suffix marks a version as a pre-release', () => {
    const prerelease = (text: string) => [text, autoScheme.parse(text)?.isPrerelease];
    for (const text of [
      '1.0.0-alpha',
      '1.0-Beta.1',
      '19beta3',
      '3.8.0b1-alpine',
      '1.20.0-rc.6-otp-29',
      '1.0.0-rc1+k3s1',
      '3.5.0-snapshot.20260612.13392f6',
      'controller-v1.2.0-rc.1',
      '21-ea+35',
      '1.1.0RC1',
      '1.1.0.RC2',
      '1.1.0-CR1',
      '1.1.0_rc4',
      '1.1.0~rc5',
      '1.1.0-M1',
      '1.1.0-preview1',
      '1.1.0-SNAPSHOT',
      'v3.28.0-0.dev',
      'v3.1-dev0',
      'release-74-rc',
      '2.0.0-M2-RC4',
      '18.09.0-ce-tp3',
      '8.0-M01',
      '1rc6',
      '1.0-pr.12',
      '2021.9.24-1-nightly',
      '1.0a1',
      '1.0c2',
      '1.0.0-beta.-2',
      '1.0-prerelease.16',
    ]) {
      expect(prerelease(text)).toEqual([text, true]);
    }
    for (const text of [
      '2.79b',
      '25.0.4-b508',
      '1.0-a1',
      '1.0-c1',
      '1.2-arch',
      '1.2-source',
      '1.2-m',
      '1.2-mysql8',
      '1.2-lean',
      '1.2-area',
      '1.2-cr',
      '1.2.Final',
      '1.2p1',
      '1.2-eab12',
      '1.2-predator',
      '8.0.5.b1',
    ]) {
      expect(prerelease(text)).toEqual([text, false]);
    }
  });

  test('a line name that is a stage or branch word, or ends with a snapshot word, marks versions as pre-releases', () => {
    for (const text of [
      'nightly-2024-01-15',
      'rc/v4.1',
      'main-20240501',
      'edge-26.8.3',
      'sha-1.2',
      'devel-20260817',
      'swift-DEVELOPMENT-SNAPSHOT-2024-06-13-a',
      'dev1.0',
    ]) {
      expect([text, autoScheme.parse(text)?.isPrerelease]).toEqual([text, true]);
    }
    for (const text of ['test-utils-1.2', 'main-app-1.2', 'a1.2', 'rc-buggy-20260803']) {
      expect([text, autoScheme.parse(text)?.isPrerelease]).toEqual([text, false]);
    }
  });

  test('a build of a commit is a pre-release', () => {
    for (const text of [
      'v1.3.0-40-g0123abc',
      'v1.3.0-1-g1234567',
      '25.12.19-2026-02-06-03fffb2',
      '5-12-g0123abc',
    ]) {
      expect([text, autoScheme.parse(text)?.isPrerelease]).toEqual([text, true]);
    }
    check({ '1.2.4-20240601': { numbers: [1, 2, 4], revision: ['20240601'] } });
  });

  test('text without a version is rejected', () => {
    check({
      latest: null,
      main: null,
      '': null,
      v: null,
      'alpine-slim': null,
      deadbeef: null,
      '3cefc21e': null,
      'main-3cefc21e': null,
      '3cefc21': null,
      '1b4f0e9851971998e732078544c96b36c3d01ced': null,
      'sha256-b019b2a5c384570201ba592be195769e1848d3106c8c56c4bdad7d2ee34748e0.sig': null,
    });
    check({
      '3cef2': { numbers: [3], variant: 'cef', revision: ['2'] },
      '1234567': { numbers: [1_234_567] },
    });
  });
});

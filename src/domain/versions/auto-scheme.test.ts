import { describe, expect, test } from 'vitest';
import { autoScheme } from './auto-scheme.ts';

describe('reading', () => {
  type Expected = {
    numbers: (number | bigint)[];
    prefix?: string;
    isPrerelease?: boolean;
    variant?: string;
    hasSuffix?: boolean;
  } | null;

  /** What is not named is as in a plain version. */
  function check(table: Readonly<Record<string, Expected>>): void {
    for (const [text, expected] of Object.entries(table)) {
      const parsed = autoScheme.parse(text);
      const { numbers, prefix, isPrerelease, variant, hasSuffix } = parsed ?? {};
      expect(parsed && { text, numbers, prefix, isPrerelease, variant, hasSuffix }).toEqual(
        expected && { text, prefix: '', isPrerelease: false, variant: '', hasSuffix: false, ...expected },
      );
    }
  }

  test('numeric components: one to many, leading zeros, dates, underscores, any size', () => {
    check({
      '1.25.3': { numbers: [1, 25, 3] },
      '7': { numbers: [7] },
      '1.2.3.4': { numbers: [1, 2, 3, 4] },
      '2024.01': { numbers: [2024, 1] },
      '2022.08.18.36': { numbers: [2022, 8, 18, 36] },
      '20230601': { numbers: [20_230_601] },
      '2026-08-17': { numbers: [2026, 8, 17] },
      '2026-08-17.4': { numbers: [2026, 8, 17, 4] },
      '2026-13-01': { numbers: [2026], hasSuffix: true },
      'RELEASE.2024-07-21T11-33-05Z': {
        numbers: [2024, 7, 21, 11, 33, 5],
        prefix: 'RELEASE.',
        variant: 'release',
      },
      'curl-8_5_0': { numbers: [8, 5, 0], prefix: 'curl-', variant: 'curl' },
      '8.1.2.4_1': { numbers: [8, 1, 2, 4], hasSuffix: true },
      '9007199254740991.9007199254740993': { numbers: [9_007_199_254_740_991, 9_007_199_254_740_993n] },
    });
  });

  test('ornaments are no part of the variant', () => {
    check({
      'v1.2.3': { numbers: [1, 2, 3], prefix: 'v' },
      'V1.2.3': { numbers: [1, 2, 3], prefix: 'V' },
      'release-1.2': { numbers: [1, 2], prefix: 'release-' },
      'version-1.2': { numbers: [1, 2], prefix: 'version-' },
      'release-v1.2': { numbers: [1, 2], prefix: 'release-v' },
    });
  });

  test('any other prefix is part of the variant', () => {
    check({
      'controller-v1.11': { numbers: [1, 11], prefix: 'controller-v', variant: 'controller' },
      'helm-chart-4.11': { numbers: [4, 11], prefix: 'helm-chart-', variant: 'helm-chart' },
      'go1.22.3': { numbers: [1, 22, 3], prefix: 'go', variant: 'go' },
      'kustomize/v5.0.1': { numbers: [5, 0, 1], prefix: 'kustomize/v', variant: 'kustomize' },
      '@scope/name@1.2.3': { numbers: [1, 2, 3], prefix: '@scope/name@', variant: 'scope-name' },
      'ingress-nginx-3.1-debug': {
        numbers: [3, 1],
        prefix: 'ingress-nginx-',
        variant: 'ingress-nginx-debug',
        hasSuffix: true,
      },
    });
  });

  test('digits in a name are not taken for the version', () => {
    check({
      'k8s-1.2': { numbers: [1, 2], prefix: 'k8s-', variant: 'k-s' },
      'x86_64-1.2.3': { numbers: [1, 2, 3], prefix: 'x86_64-', variant: 'x' },
      'graalvm-java17-22.3.1': { numbers: [22, 3, 1], prefix: 'graalvm-java17-', variant: 'graalvm-java' },
      'plugin2/exp/v1.0.0': { numbers: [1, 0, 0], prefix: 'plugin2/exp/v', variant: 'plugin-exp' },
      'tools-r28.0.3': { numbers: [28, 0, 3], prefix: 'tools-r', variant: 'tools-r' },
      r58: { numbers: [58], prefix: 'r', variant: 'r' },
      'full-java17': null,
    });
  });

  test('a variant is the letters of suffix and build metadata, and stable', () => {
    check({
      '1.25.3-alpine3.18': { numbers: [1, 25, 3], variant: 'alpine', hasSuffix: true },
      '1.25.3-alpine3.19': { numbers: [1, 25, 3], variant: 'alpine', hasSuffix: true },
      '1.25.3-debian-12-r3': { numbers: [1, 25, 3], variant: 'debian-r', hasSuffix: true },
      'v1.28.4+k3s1': { numbers: [1, 28, 4], prefix: 'v', variant: 'k-s', hasSuffix: true },
      '3.7-Alpine': { numbers: [3, 7], variant: 'alpine', hasSuffix: true },
      '5.0.Final': { numbers: [5, 0], variant: 'final', hasSuffix: true },
      '9.6p1': { numbers: [9, 6], variant: 'p', hasSuffix: true },
      '1.x': { numbers: [1], variant: 'x', hasSuffix: true },
      '1.2.3-4': { numbers: [1, 2, 3], hasSuffix: true },
      '17.0.2+8': { numbers: [17, 0, 2] },
      '1.2.3-5-g7de552e': { numbers: [1, 2, 3], hasSuffix: true },
    });
  });

  test('a pre-release word in the suffix makes a pre-release, whatever stands beside it', () => {
    check({
      '1.0.0-alpha': { numbers: [1, 0, 0], isPrerelease: true, hasSuffix: true },
      '1.0-Beta.1': { numbers: [1, 0], isPrerelease: true, hasSuffix: true },
      '19beta3': { numbers: [19], isPrerelease: true, hasSuffix: true },
      '3.8.0b1-alpine': { numbers: [3, 8, 0], isPrerelease: true, variant: 'alpine', hasSuffix: true },
      '1.20.0-rc.6-otp-29': { numbers: [1, 20, 0], isPrerelease: true, variant: 'otp', hasSuffix: true },
      '1.0.0-rc1+k3s1': { numbers: [1, 0, 0], isPrerelease: true, variant: 'k-s', hasSuffix: true },
      '3.5.0-snapshot.20260612.13392f6': { numbers: [3, 5, 0], isPrerelease: true, hasSuffix: true },
      'controller-v1.2.0-rc.1': {
        numbers: [1, 2, 0],
        prefix: 'controller-v',
        isPrerelease: true,
        variant: 'controller',
        hasSuffix: true,
      },
      '21-ea+35': { numbers: [21], isPrerelease: true, hasSuffix: true },
    });
  });

  test('a prefix that is nothing but a pre-release word makes a pre-release', () => {
    check({
      'nightly-2024-01-15': {
        numbers: [2024, 1, 15],
        prefix: 'nightly-',
        isPrerelease: true,
        variant: 'nightly',
      },
      'rc/v4.1': { numbers: [4, 1], prefix: 'rc/v', isPrerelease: true, variant: 'rc' },
      'test-utils-1.2': { numbers: [1, 2], prefix: 'test-utils-', variant: 'test-utils' },
    });
  });

  test('what is not a version is refused', () => {
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
      '3cef2': { numbers: [3], variant: 'cef', hasSuffix: true },
      '1234567': { numbers: [1_234_567] },
    });
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasTestData, testDataPath } from '../../../tests/helpers/test-data.ts';
import { versionScheme } from '../versions/versions.ts';
import { deployedOrder } from './deployed-order.ts';
import { orderEnvironments, productionEnvironments } from './order-environments.ts';
import { type FirstSeen, measurePromotions, percentile } from './promotions.ts';
import { compareCells, lowestDeployed } from './relation.ts';

const auto = versionScheme('auto');
const minute = 60_000;

/** Parses entries. `1.2@5` means that version 1.2 was first seen after five minutes. */
function seen(...entries: string[]): FirstSeen[] {
  return entries.map((entry) => {
    const at = entry.lastIndexOf('@');
    return { version: entry.slice(0, at), atMs: Number(entry.slice(at + 1)) * minute };
  });
}

/** Marks the first version as deployed before the first reading. */
function first([initial, ...changes]: FirstSeen[]): FirstSeen[] {
  return [{ ...initial!, isUnobserved: true }, ...changes];
}

function versionsOf(entries: readonly FirstSeen[]): string[] {
  return entries.map((entry) => entry.version);
}

describe('the order of deployed versions', () => {
  it('treats different spellings of a version as one version', () => {
    const order = deployedOrder(auto, []);
    expect(order.identity('v1.2.3')).toBe(order.identity('1.2.3'));
    expect(order.identity('1.2.3-alpine')).not.toBe(order.identity('1.2.3'));
    expect(order.identity('b4c614f')).not.toBe(order.identity('d7eed0c'));
  });

  it('treats an all-digit hash as a commit if the other versions are commits', () => {
    const among = (...texts: string[]) => deployedOrder(auto, texts).compare('7014533', '6000000');
    expect(among('7014533', '6000000')).toBeGreaterThan(0);
    expect(among('7014533', '6000000', 'b4c614f', 'd7eed0c', 'a7eed0c')).toBeNull();
    expect(among('7014533', '6000000', 'release-b4c614f', 'release-d7eed0c')).toBeGreaterThan(0);
  });

  it('treats a hash after a word as a commit, and a hash after a version as part of the version', () => {
    const order = deployedOrder(auto, [
      'release-7014533',
      'release-b4c614f',
      'release-d7eed0c',
      '1.2.3-b4c614f',
    ]);
    expect(order.compare('release-7014533', 'release-7014533')).toBeNull();
    expect(order.compare('1.2.3', '1.2.4')).toBeLessThan(0);
  });

  it("doesn't order versions of different lines", () => {
    expect(deployedOrder(auto, []).compare('controller-v1.2.0', 'helm-chart-2.0.0')).toBeNull();
  });
});

describe('the order of environments', () => {
  it.each([
    { sorted: ['dev', 'test', 'integration', 'uat', 'staging', 'preprod', 'canary', 'prod'] },
    { sorted: ['Development', 'QA', 'Staging', 'Pre-Production', 'Production'] },
    { sorted: ['dev-eu', 'dev-us', 'stg_1', 'stg_2', 'eu-prod-1', 'us-prod-1'] },
    { sorted: ['staging', 'non-prod', 'pre-prod', 'prod'] },
    { sorted: ['dev', 'alpha', 'customer-a', 'live'] },
    { sorted: ['alpha', 'beta', 'device', 'product'] },
  ])('is based on common conventions if no order is configured: $sorted', ({ sorted }) => {
    expect(orderEnvironments(sorted.toSorted(), [])).toEqual(sorted);
    expect(orderEnvironments(sorted.toReversed(), [])).toEqual(sorted);
  });

  it('starts with the configured environments, followed by the others', () => {
    expect(orderEnvironments(['prod', 'beta', 'dev', 'blue', 'green'], ['green', 'blue', 'gone'])).toEqual([
      'green',
      'blue',
      'dev',
      'beta',
      'prod',
    ]);
  });

  it('recognizes production by its name, or else as the last environment in the configured order', () => {
    const check = (names: string[], order: string[], expected: string[]) =>
      expect(productionEnvironments(names, order)).toEqual(expected);
    check(['us-prod', 'staging', 'eu-prod', 'preprod'], [], ['eu-prod', 'us-prod']);
    check(['blue', 'green'], ['blue', 'green', 'red'], ['green']);
    check(['blue', 'green', 'live'], ['live', 'blue', 'green'], ['live']);
    check(['staging', 'preprod'], [], []);
    check([], ['production'], []);
  });
});

describe('the measurement of promotions', () => {
  const measure = (from: FirstSeen[], to: FirstSeen[]) =>
    measurePromotions(deployedOrder(auto, versionsOf([...from, ...to])), from, to);

  it('compares the first-seen times of a version, regardless of its spelling', () => {
    const { lagsMs, reversed } = measure(seen('v1@0', 'v2@10', 'v3@20'), seen('1@9', '2@12', '3@15'));
    expect(lagsMs).toEqual([-5 * minute, 2 * minute, 9 * minute]);
    expect(reversed).toBe(1);
  });

  it('counts a version once when an environment returns to it', () => {
    expect(measure(seen('v1@0', 'v2@10', 'v1@20', 'v2@30'), seen('v1@5', 'v2@15')).lagsMs).toEqual([
      5 * minute,
      5 * minute,
    ]);
  });

  it('reports a version as in flight until a later or higher one arrives, then as skipped', () => {
    const later = measure(seen('aaaaaaa@0', 'bbbbbbb@10', 'ccccccc@20'), seen('aaaaaaa@5', 'bbbbbbb@15'));
    expect([later.skipped, later.inFlight].map(versionsOf)).toEqual([[], ['ccccccc']]);
    const passed = measure(seen('aaaaaaa@0', 'bbbbbbb@10', 'ccccccc@20'), seen('ccccccc@25'));
    expect(versionsOf(passed.skipped)).toEqual(['aaaaaaa', 'bbbbbbb']);
    const backport = measure(seen('2.0@0', '1.9.1@10'), seen('2.0@5'));
    expect(versionsOf(backport.skipped)).toEqual(['1.9.1']);
    const hotfix = measure(seen('2.0@0', '2.1@10'), seen('2.0@5', '2.0.1@12'));
    expect(versionsOf(hotfix.inFlight)).toEqual(['2.1']);
  });

  it('counts no promotion of a version whose arrival in one of the environments was not observed', () => {
    const from = first(seen('1.0@0', '1.1@10', '1.2@20'));
    expect(measure(from, first(seen('1.0@0', '1.1@12', '1.2@25'))).lagsMs).toEqual([2 * minute, 5 * minute]);
    expect(measure(first(seen('1.0@100')), first(seen('1.0@30')))).toMatchObject({ lagsMs: [], reversed: 0 });
    const late = measure(from, first(seen('1.2@90', '1.3@95')));
    expect(late).toEqual({ lagsMs: [], reversed: 0, skipped: [], inFlight: [] });
    const commits = measure(first(seen('aaaaaaa@0', 'bbbbbbb@10', 'ccccccc@20')), first(seen('bbbbbbb@15')));
    expect([commits.skipped, commits.inFlight].map(versionsOf)).toEqual([[], ['ccccccc']]);
    const since = measure(from, first(seen('0.9@5', '1.2@25')));
    expect([since.skipped, since.inFlight].map(versionsOf)).toEqual([['1.1'], []]);
  });

  it('returns percentiles, and null without values', () => {
    expect(percentile([], 0.5)).toBeNull();
    expect(percentile([1, 2, 3, 4], 0.5)).toBe(2);
    expect(percentile([1, 2, 3, 4], 0.9)).toBe(4);
    expect(percentile([7], 0)).toBe(7);
  });
});

describe('the relation to the earlier environment', () => {
  const compare = (deployed: string, earlier: string, history: FirstSeen[]) =>
    compareCells(
      deployedOrder(auto, [deployed, earlier, ...versionsOf(history)]),
      deployed,
      earlier,
      history,
    );

  it.each([
    {
      name: 'another spelling of the same version',
      deployed: '1.2.3',
      earlier: 'v1.2.3',
      history: 'v1.2.3@0',
      relation: 'same',
    },
    { name: 'a hotfix', deployed: '1.2.4', earlier: '1.2.3', history: '1.2.3@0', relation: 'ahead' },
    {
      name: 'another variant of the same version',
      deployed: '1.2.3-alpine',
      earlier: '1.2.3',
      history: '1.2.3@0',
      relation: 'different',
    },
    {
      name: 'a commit that the earlier environment never had',
      deployed: 'abcdef1',
      earlier: 'bbcdef1',
      history: 'bbcdef1@0',
      relation: 'different',
    },
    {
      name: 'a rollback in the earlier environment',
      deployed: 'bbcdef1',
      earlier: 'abcdef1',
      history: 'abcdef1@0 bbcdef1@5',
      relation: 'ahead',
    },
  ])('for $name is $relation', ({ deployed, earlier, history, relation }) => {
    expect(compare(deployed, earlier, seen(...history.split(' ')))).toEqual({
      relation,
      releasesBehind: null,
      behindSinceMs: null,
    });
  });

  it('includes the number of newer versions and the time since the first one', () => {
    const history = seen('1.0@0', '1.1@10', '1.2@20', '1.1@30', '1.2@40');
    expect(compare('1.0', '1.2', history)).toEqual({
      relation: 'behind',
      releasesBehind: 2,
      behindSinceMs: 10 * minute,
    });
  });

  it('orders commits by when the earlier environment first saw them, also relative to versions', () => {
    const history = seen('abcdef1@0', 'bbcdef1@10', 'v2@20');
    expect(compare('abcdef1', 'v2', history)).toEqual({
      relation: 'behind',
      releasesBehind: 2,
      behindSinceMs: 10 * minute,
    });
    expect(compare('v2', 'bbcdef1', history).relation).toBe('ahead');
  });

  it('uses the lowest version of several clusters, or the longest deployed one if versions have no order', () => {
    const order = deployedOrder(auto, []);
    expect(lowestDeployed(order, seen('1.3@0', '1.2@10', '1.4@20'))?.version).toBe('1.2');
    expect(lowestDeployed(order, seen('bbcdef1@5', 'abcdef1@0'))?.version).toBe('abcdef1');
    expect(lowestDeployed(order, [])).toBeNull();
  });
});

describe.skipIf(!hasTestData)('the promotions of real deployments over four years', () => {
  it('match an independent count from integration to production', () => {
    const rows = readFileSync(testDataPath('deployments/govuk-deployments.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => JSON.parse(line) as { at: string; app: string; tag: string; env: string });
    expect(rows).toHaveLength(13_430);
    const apps = [...new Set(rows.map((row) => row.app))];
    expect(apps).toHaveLength(9);

    const results = apps.map((app) => {
      const own = rows.filter((row) => row.app === app);
      const inEnvironment = (environment: string): FirstSeen[] =>
        own
          .filter((row) => row.env === environment)
          .map((row) => ({ version: row.tag, atMs: Date.parse(row.at) }));
      const order = deployedOrder(
        auto,
        own.map((row) => row.tag),
      );
      return measurePromotions(order, inEnvironment('integration'), inEnvironment('production'));
    });
    const lags = results.flatMap((result) => result.lagsMs).sort((a, b) => a - b);
    expect(lags).toHaveLength(3_687);
    expect(results.reduce((sum, result) => sum + result.reversed, 0)).toBe(4);
    expect((percentile(lags, 0.5) ?? 0) / minute).toBeCloseTo(9.0, 1);
    expect((percentile(lags, 0.9) ?? 0) / minute).toBeCloseTo(13.9, 1);
    const never = results.flatMap((result) => [...result.skipped, ...result.inFlight]);
    expect(never).toHaveLength(1_864);
  });
});

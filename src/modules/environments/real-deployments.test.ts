import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { setClockOffset } from '../../../tests/helpers/database.ts';
import { isLong } from '../../../tests/helpers/long-tests.ts';
import { hasTestData, testDataPath } from '../../../tests/helpers/test-data.ts';
import { startTestServer } from '../../../tests/helpers/test-server.ts';
import { deployedOrder } from '../../domain/environments/deployed-order.ts';
import { measurePromotions, percentile } from '../../domain/environments/promotions.ts';
import { versionScheme } from '../../domain/versions/versions.ts';

/**
 * True to replay all deployments, which takes minutes. Otherwise, the test replays those of one service, which is
 * enough to compare the two counts.
 */
const isWhole = isLong;

interface Deployment {
  at: string;
  app: string;
  tag: string;
  env: string;
}

describe.skipIf(!hasTestData)('real deployments over four years', () => {
  test('have the same promotions in the API as in an independent count from the list of deployments', {
    timeout: isWhole ? 3_600_000 : 60_000,
  }, async () => {
    const deployments = readDeployments();
    const server = await startTestServer();
    const { api, owner } = await server.createOrganization();
    await owner.call('putOrgOverride', {
      path: { key: 'environments.order' },
      body: { value: ['integration', 'staging', 'production'] },
    });
    // By default, changes of versions are deleted after two years.
    await owner.call('putOrgOverride', { path: { key: 'retention.versions_days' }, body: { value: 3_650 } });
    const jobs = new Map<string, number>();
    const jobOf = async ({ app, env }: Deployment) => {
      const name = `${app} ${env}`;
      const known = jobs.get(name);
      if (known !== undefined) return known;
      const labels = { service: app, environment: env };
      const body = { name, parser_type: 'manual', history_limit: 10_000, labels } as const;
      const { id } = await api.call('createScrapeJob', { body });
      jobs.set(name, id);
      return id;
    };
    for (const deployment of deployments) {
      await setClockOffset(server.db, `${Date.parse(deployment.at) - Date.now()} milliseconds`);
      const path = { id: await jobOf(deployment) };
      await api.call('setScrapeJobVersion', { path, body: { version: deployment.tag } });
    }

    const query = { from: 'integration', to: 'production' };
    const { items, summary } = await api.call('listPromotions', { query });
    const figures = items.map(({ service, promoted, reversed, skipped, in_flight_count }) => ({
      service,
      promoted,
      reversed,
      skipped,
      in_flight_count,
    }));
    const counted = countPromotions(deployments);
    expect(figures).toEqual(counted.figures);
    // The recorded times differ from the list by the duration of each request.
    expect(Math.abs(summary.median_seconds! - counted.medianSeconds)).toBeLessThan(3);
    expect(Math.abs(summary.p90_seconds! - counted.p90Seconds)).toBeLessThan(3);
    if (!isWhole) return;
    // An independent count found 3,687 promotions and 1,864 other versions. That count includes the first
    // version of each service in each environment, and the versions before it, although their arrival wasn't
    // observed.
    expect(summary).toMatchObject({ promoted: 3_680, reversed: 4 });
    expect(summary.skipped + summary.in_flight_count).toBe(1_790);
    expect(summary.median_seconds! / 60).toBeCloseTo(9.0, 1);
    expect(summary.p90_seconds! / 60).toBeCloseTo(13.9, 1);
  });
});

function readDeployments(): Deployment[] {
  const all = readFileSync(testDataPath('deployments/govuk-deployments.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as Deployment)
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return isWhole ? all : all.filter(({ app }) => app === all[0]!.app).slice(0, 400);
}

function countPromotions(deployments: readonly Deployment[]) {
  const lagsMs: number[] = [];
  const apps = [...new Set(deployments.map(({ app }) => app))].toSorted();
  const figures = apps.flatMap((service) => {
    const own = deployments.filter(({ app }) => app === service);
    const seenIn = (name: string) =>
      own
        .filter(({ env }) => env === name)
        .map(({ tag, at }, index) => ({ version: tag, atMs: Date.parse(at), isUnobserved: index === 0 }));
    const order = deployedOrder(
      versionScheme('auto'),
      own.map(({ tag }) => tag),
    );
    const promotions = measurePromotions(order, seenIn('integration'), seenIn('production'));
    lagsMs.push(...promotions.lagsMs);
    return {
      service,
      promoted: promotions.lagsMs.length,
      reversed: promotions.reversed,
      skipped: promotions.skipped.length,
      in_flight_count: promotions.inFlight.length,
    };
  });
  lagsMs.sort((a, b) => a - b);
  const secondsOf = (share: number) => (percentile(lagsMs, share) ?? 0) / 1_000;
  return { figures, medianSeconds: secondsOf(0.5), p90Seconds: secondsOf(0.9) };
}

import { afterAll, expect, test } from 'vitest';
import { generateInstallation, ownerPassword, smallSize } from '../../benchmarks/generate-installation.ts';
import { createApiClient } from '../../src/client/api-client.ts';
import { connectDatabase } from '../../src/platform/database/index.ts';
import { maxPreparedLength } from '../../src/platform/database/prepare-hot-statements.ts';
import { createSilentLog } from '../../src/platform/log.ts';
import { exposedVulnerability, insertExposureHistory } from '../helpers/exposure-history.ts';
import { startTestServer, testSecretKey } from '../helpers/test-server.ts';
import { PreparedPlans } from './explained-plans.ts';

const server = await startTestServer();
const size = {
  ...smallSize,
  gatherJobs: 100,
  scrapeJobs: 5_000,
  versionsEach: 1,
  runsEach: 1,
  rules: 10,
  alertConfigs: 5_000,
  resolvedAlertsEach: 1,
};
// Use the second of two organizations of equal size. A sequential scan would find the rows of the only or first
// organization quickly.
const [otherId, organizationId] = await generateInstallation(server.db, [size, size], testSecretKey);
await insertExposureHistory(server.db, otherId!);
const gatherJobId = await insertExposureHistory(server.db, organizationId!);
const login = await server.anonymous.call('login', {
  body: { email: 'owner-2@example.org', password: ownerPassword },
});
const api = createApiClient({ baseUrl: server.url, token: login.access_token });
const oneConnection = await connectDatabase({
  connection: server.connection,
  log: createSilentLog(),
  poolSize: 1,
});
afterAll(() => oneConnection.destroy());
const plans = new PreparedPlans(oneConnection);

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

/** Number of exposures of one scrape job, and of all scrape jobs with the same software. */
const periods = 60;
const ofSoftware = 50 * periods;

test.each([
  ['of any software', {}, 10_001],
  ['that are current', { is_current: true }, 5_000],
  ['of a version as it was read', { version: '1.30.2' }, 1_000],
  ['of a scrape job', { scrape_job_id: undefined }, periods],
  ['of software', { gather_job_id: gatherJobId }, ofSoftware],
  ['of a version of software', { gather_job_id: gatherJobId, version: '1.30.2' }, ofSoftware],
  [
    'of a range of versions between two days',
    {
      gather_job_id: gatherJobId,
      version_range: '>=1.20.0 <1.32.0',
      since: daysAgo(1_000),
      until: daysAgo(900),
    },
    ofSoftware,
  ],
  ['to a vulnerability', { vulnerability_id: exposedVulnerability }, ofSoftware],
] as const)(
  'exposures %s are read without reading the other exposures of the last five years',
  async (what, filters, most) => {
    const { items: jobs } = await api.call('listScrapeJobs', { query: { limit: 1 } });
    const query = { ...filters, ...(what === 'of a scrape job' && { scrape_job_id: jobs[0]!.id }) };
    const queries = await server.queriesOf(async () => {
      const { items } = await api.call('listExposures', { query });
      expect(items.length).toBeGreaterThan(0);
    });
    const own = queries.filter(
      ({ text, parameters }) => /^\s*(select|with)/i.test(text) && parameters.includes(organizationId),
    );
    expect(own.some(({ text }) => text.includes('page_total'))).toBe(true);
    for (const each of own) {
      expect(each.text.length).toBeLessThanOrEqual(maxPreparedLength);
      await plans.keep(each);
      for (const { node, table, rows } of (await plans.run(each))!) {
        expect(rows, `rows of ${node} in ${each.text}`).toBeLessThanOrEqual(most + 100);
        if (node.startsWith('Seq Scan'))
          expect(['exposures', 'reading_gaps', 'scrape_jobs', 'alert_configs', 'releases']).not.toContain(
            table,
          );
      }
    }
  },
);

import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { versionScheme } from '../../src/domain/versions/versions.ts';
import { createMonitoredSoftware } from '../helpers/monitored.ts';
import { sharedTestServer, type TestOrganization } from '../helpers/test-server.ts';
import { runCommand } from './run-command.ts';

const server = await sharedTestServer();

async function csvOf({ apiKey }: TestOrganization, ...args: string[]): Promise<string[]> {
  const env = { PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: apiKey };
  const result = await runCommand([...args, '-o', 'csv'], { env });
  expect(result, result.stderr).toMatchObject({ code: 0 });
  return result.stdout.trim().split(/\r?\n/);
}

test('the environments command prints the versions of each service, and the number of releases behind', async () => {
  const organization = await server.createOrganization();
  const track = async (labels: Record<string, string>, ...versions: string[]) => {
    const body = { name: Object.values(labels).join(' '), parser_type: 'manual', labels } as const;
    const { id } = await organization.api.call('createScrapeJob', { body });
    for (const version of versions)
      await organization.api.call('setScrapeJobVersion', { path: { id }, body: { version } });
  };
  await track({ service: 'shop', environment: 'a' }, '1.0', '1.1', '1.2');
  await track({ service: 'shop', environment: 'b' }, '1.0');
  await track({ service: 'web', component: 'api', environment: 'a' }, '2.0');
  expect(await csvOf(organization, 'environments')).toEqual([
    'service,a,b',
    'shop,1.2,1.0 (2 behind)',
    'web/api,2.0,',
  ]);
  expect(await csvOf(organization, 'environments', '--drift', 'missing')).toEqual([
    'service,a,b',
    'web/api,2.0,',
  ]);
});

test('the release-notes command prints the releases of a range, with major and breaking changes marked', async () => {
  const organization = await server.createOrganization();
  const { configId, gatherJobId } = await createMonitoredSoftware(server, organization, { releases: [] });
  const { parse, sortKey } = versionScheme('auto');
  for (const [version, notes] of [
    ['1.0.0', null],
    ['1.1.0', '- a fix'],
    ['2.0.0', '## Breaking changes\n- The flag `--old` is removed'],
  ] as const) {
    await sql`
      INSERT INTO releases (organization_id, gather_job_id, tag, version, sort_key, variant, is_prerelease, notes)
      VALUES (${organization.id}, ${gatherJobId}, ${version}, ${version}, ${sortKey(parse(version)!)}, '', false,
        ${notes})`.execute(server.db);
  }
  const range = ['--from', '1.0.0', '--to', '2.0.0'];
  expect(await csvOf(organization, 'release-notes', String(configId), ...range)).toEqual([
    'version,released_at,marked',
    '2.0.0,,"major version; breaking: The flag --old is removed"',
    '1.1.0,,',
  ]);
});

test('the release-notes command reports the releases and notes missing from its table', async () => {
  const organization = await server.createOrganization();
  const { configId, gatherJobId } = await createMonitoredSoftware(server, organization, { releases: [] });
  const { parse, sortKey } = versionScheme('auto');
  const rows = Array.from({ length: 150 }, (_, index) => ({
    version: `1.${index}.0`,
    sort_key: sortKey(parse(`1.${index}.0`)!),
    notes: `${index === 47 ? 'BREAKING CHANGE: no\n\n' : ''}${'x'.repeat(5_000)}`,
  }));
  await sql`
    INSERT INTO releases (organization_id, gather_job_id, tag, version, sort_key, variant, is_prerelease, notes)
    SELECT ${organization.id}, ${gatherJobId}, version, version, sort_key, '', false, notes
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (version text, sort_key text, notes text)`.execute(
    server.db,
  );
  const env = { PACEKEEPER_SERVER_URL: server.url, PACEKEEPER_API_KEY: organization.apiKey };
  const stderrOf = async (from: string) => {
    const args = ['release-notes', String(configId), '--from', from, '--to', '1.149.0'];
    return (await runCommand(args, { env })).stderr;
  };
  expect(await stderrOf('1.0.0')).toBe(
    'Showing the newest 100 of 149 releases. Of the others, 1 is marked as breaking.\n' +
      'Only the notes of the newest 104 releases were read.\n',
  );
  expect(await stderrOf('1.100.0')).toBe('');
});

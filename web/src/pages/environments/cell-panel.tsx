import { Button, Drawer, Stack, Text } from '@mantine/core';
import { useApi } from '../../api/use-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import { ConfigState } from '../../components/config-state.tsx';
import { LatestVersion } from '../../components/latest-version.tsx';
import { ShortList } from '../../components/list/index.ts';
import { ReleaseNotesView } from '../../components/release-notes/release-notes-view.tsx';
import { resourceLink } from '../../components/resource-link.ts';
import { SeverityMark } from '../../components/severity.tsx';
import { VersionText } from '../../components/version-text.tsx';
import { Facts, Section } from '../../ui/facts.tsx';
import { TextLink } from '../../ui/links.tsx';
import { ElapsedTime, RelativeTime } from '../../ui/relative-time.tsx';
import { useReturnFocus } from '../../ui/use-return-focus.ts';
import type { Comparing } from './compare-dialog.tsx';
import { type Cell, describeCell, type MatrixRow, nameOf } from './describe-cell.ts';

/** Details of a service in an environment: its versions, and the difference from the previous environment. */
export function CellPanel({
  row,
  environment,
  compare,
  close,
}: {
  row: MatrixRow;
  environment: string;
  compare: (comparing: Comparing) => void;
  close: () => void;
}) {
  const canWrite = useHasRole('member');
  useReturnFocus();
  const cell = row.cells.find((each) => each.environment === environment);
  if (!cell) return null;
  const earlier = row.cells.find((each) => each.environment === cell.compared_with);
  return (
    <Drawer opened onClose={close} position="right" title={`${nameOf(row)} in ${environment}`} size="md">
      <Stack gap="sm">
        <Deployed cell={cell} />
        <Section title="Environments">
          <Environments row={row} />
        </Section>
        {earlier && (
          <Section title="Difference">
            <Difference cell={cell} earlier={earlier} />
          </Section>
        )}
        {earlier && cell.relation === 'behind' && <NotesBetween cell={cell} earlier={earlier} />}
        <Section title="Monitors">
          <Monitors cell={cell} />
        </Section>
        <Section title="Version history">
          <History cell={cell} />
        </Section>
        {canWrite && earlier && (
          <Button
            onClick={() => {
              close();
              compare({ environment, compare_with: earlier.environment, service: row.service });
            }}
          >
            Compare with {earlier.environment}
          </Button>
        )}
      </Stack>
    </Drawer>
  );
}

function Deployed({ cell }: { cell: Cell }) {
  return (
    <Facts
      facts={[
        ...cell.versions.map(
          ({ version, scrape_job_ids, since }) =>
            [
              'Deployed',
              <span key={version}>
                <TextLink {...resourceLink('scrape_job', scrape_job_ids[0]!)}>
                  <VersionText version={version} />
                </TextLink>{' '}
                for <ElapsedTime since={since} />
                {scrape_job_ids.length > 1 && ` (${scrape_job_ids.length} version trackers)`}
              </span>,
            ] as const,
        ),
        cell.upstream?.severity != null && [
          'Severity',
          <SeverityMark key="severity" severity={cell.upstream.severity} />,
        ],
        cell.severity !== null && ['Drift severity', <SeverityMark key="drift" severity={cell.severity} />],
      ]}
    />
  );
}

function Environments({ row }: { row: MatrixRow }) {
  return (
    <Facts
      facts={row.cells.map(({ environment, versions }) => [
        environment,
        versions.length === 0 ? (
          'missing'
        ) : (
          <VersionText key={environment} version={versions.map(({ version }) => version).join(', ')} />
        ),
      ])}
    />
  );
}

/** Returns the first version tracker of a cell. The others usually track replicas of the same service. */
const trackerOf = (cell: Cell) => cell.versions[0]?.scrape_job_ids[0];

function Monitors({ cell }: { cell: Cell }) {
  return (
    <ShortList
      operationId="listAlertConfigs"
      query={{ scrape_job_id: trackerOf(cell) }}
      name="monitors"
      rowKey={({ id }) => id}
      rowLink={({ id }) => resourceLink('alert_config', id)}
      empty="No monitor compares this version."
      size={5}
      columns={[
        { header: 'Monitor', cell: ({ name }) => name, width: 'minmax(0, 1.4fr)' },
        {
          header: 'Latest',
          cell: (config) => <LatestVersion config={config} />,
        },
        { header: 'State', cell: (config) => <ConfigState config={config} isStacked /> },
      ]}
    />
  );
}

function History({ cell }: { cell: Cell }) {
  return (
    <ShortList
      operationId="listVersions"
      query={{ scrape_job_id: trackerOf(cell), changes_only: true }}
      name="versions"
      rowKey={({ id }) => id}
      empty="No versions"
      size={5}
      columns={[
        { header: 'Version', cell: ({ version }) => <VersionText version={version} /> },
        { header: 'First seen', cell: ({ discovered_at }) => <RelativeTime at={discovered_at} /> },
      ]}
    />
  );
}

/**
 * Shows the release notes between the versions of two cells if a monitor compares the service with its upstream source.
 */
function NotesBetween({ cell, earlier }: { cell: Cell; earlier: Cell }) {
  const query = { scrape_job_id: cell.versions[0]!.scrape_job_ids[0]!, limit: 200 };
  const configs = useApi('listAlertConfigs', { query });
  const gatherJobs = useApi('listGatherJobsDropdown');
  if (!configs.data || !gatherJobs.data) return null;
  const environments = new Set(
    gatherJobs.data.filter(({ source_type }) => source_type === 'deployed_versions').map(({ id }) => id),
  );
  const config = configs.data.items.find(({ gather_job_id }) => !environments.has(gather_job_id));
  if (!config) return null;
  return (
    <Section title="Release notes">
      <ReleaseNotesView
        alertConfigId={config.id}
        from={cell.versions[0]?.version}
        to={earlier.versions[0]?.version}
      />
    </Section>
  );
}

function Difference({ cell, earlier }: { cell: Cell; earlier: Cell }) {
  const jobId = earlier.versions[0]?.scrape_job_ids[0];
  return (
    <>
      <Text size="sm" mb="xs">
        {describeCell(cell)}
        {cell.behind_since !== null && (
          <>
            {' for '}
            <ElapsedTime since={cell.behind_since} />
          </>
        )}
        . {earlier.environment} has {earlier.versions.map(({ version }) => version).join(', ')}.
      </Text>
      {cell.behind_since !== null && jobId !== undefined && (
        <ShortList
          operationId="listVersions"
          query={{ scrape_job_id: jobId, changes_only: true, since: cell.behind_since }}
          name="versions"
          rowKey={({ id }) => id}
          empty="No versions"
          columns={[
            { header: 'Version', cell: ({ version }) => <VersionText version={version} /> },
            {
              header: `In ${earlier.environment}`,
              cell: ({ discovered_at }) => <RelativeTime at={discovered_at} />,
            },
          ]}
        />
      )}
    </>
  );
}

import { Button, Drawer, Stack, Text } from '@mantine/core';
import { useApi } from '../../api/use-api.ts';
import { useCan } from '../../api/use-me.ts';
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

/** A service in an environment: its versions, and what the previous environment has had since. */
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
  const canWrite = useCan('member');
  useReturnFocus();
  const cell = row.cells.find((each) => each.environment === environment);
  if (!cell) return null;
  const earlier = row.cells.find((each) => each.environment === cell.compared_with);
  return (
    <Drawer opened onClose={close} position="right" title={`${nameOf(row)} in ${environment}`} size="md">
      <Stack gap="sm">
        <Deployed cell={cell} />
        {earlier && (
          <Section title="Difference">
            <Difference cell={cell} earlier={earlier} />
          </Section>
        )}
        {earlier && cell.relation === 'behind' && <NotesBetween cell={cell} earlier={earlier} />}
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
                <TextLink {...resourceLink('scrape_job', scrape_job_ids[0]!)}>{version}</TextLink> for{' '}
                <ElapsedTime since={since} />
                {scrape_job_ids.length > 1 && ` (${scrape_job_ids.length} version trackers)`}
              </span>,
            ] as const,
        ),
        cell.alert_config_id !== null && [
          'Monitor',
          <TextLink key="monitor" {...resourceLink('alert_config', cell.alert_config_id)}>
            View monitor
          </TextLink>,
        ],
        cell.severity !== null && ['Severity', <SeverityMark key="severity" severity={cell.severity} />],
      ]}
    />
  );
}

/** What upstream says about the versions in between, if a monitor compares the service with its upstream source. */
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

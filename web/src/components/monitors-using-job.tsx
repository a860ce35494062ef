import type { Schemas } from '../../../src/generated/client-api.ts';
import { useHasRole } from '../api/use-me.ts';
import { Section } from '../ui/facts.tsx';
import { ButtonLink } from '../ui/links.tsx';
import { ConfigState } from './config-state.tsx';
import { LatestVersion } from './latest-version.tsx';
import { type Column, ShortList } from './list/index.ts';
import { resourceLink } from './resource-link.ts';
import { VersionText } from './version-text.tsx';

const columns: readonly Column<Schemas['AlertConfig']>[] = [
  { header: 'Name', cell: ({ name }) => name, width: 'minmax(0, 1.5fr)' },
  { header: 'State', cell: (config) => <ConfigState config={config} />, width: 'minmax(0, 1.5fr)' },
  { header: 'Deployed', cell: ({ deployed_version }) => <VersionText version={deployed_version} /> },
  { header: 'Latest', cell: (config) => <LatestVersion config={config} /> },
];

/** Section with the monitors that use a job, and a button that creates another one. */
export function MonitorsUsingJob({
  filter,
}: {
  filter: { gather_job_id: number } | { scrape_job_id: number };
}) {
  const canWrite = useHasRole('member');
  const search =
    'gather_job_id' in filter
      ? { gather_job_id: String(filter.gather_job_id) }
      : { scrape_job_id: String(filter.scrape_job_id) };
  return (
    <Section
      title="Monitors"
      actions={
        canWrite && (
          <ButtonLink to="/alert-configs/new" search={search} variant="default" size="xs">
            Create monitor
          </ButtonLink>
        )
      }
    >
      <ShortList
        operationId="listAlertConfigs"
        query={filter}
        columns={columns}
        name="monitors"
        rowKey={({ id }) => id}
        rowLink={({ id }) => resourceLink('alert_config', id)}
        empty="Not monitored yet. A monitor compares a deployed version with upstream releases using a rule."
      />
    </Section>
  );
}

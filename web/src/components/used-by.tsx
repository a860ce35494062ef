import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../../src/generated/client-api.ts';
import { useCan } from '../api/use-me.ts';
import { Section } from '../ui/facts.tsx';
import { ConfigState } from './config-state.tsx';
import { type Column, ShortList } from './list/index.ts';
import { VersionText } from './version-text.tsx';

const columns: readonly Column<Schemas['AlertConfig']>[] = [
  { header: 'Name', cell: ({ name }) => name, width: 'minmax(0, 1.5fr)' },
  { header: 'State', cell: (config) => <ConfigState config={config} />, width: 'minmax(0, 1.5fr)' },
  { header: 'Deployed', cell: ({ deployed_version }) => <VersionText version={deployed_version} /> },
  { header: 'Latest', cell: ({ latest_version }) => <VersionText version={latest_version} /> },
];

/** The alert configurations that use a job, and the way to one more. */
export function UsedBy({ filter }: { filter: { gather_job_id: number } | { scrape_job_id: number } }) {
  const canWrite = useCan('member');
  const search = Object.fromEntries(Object.entries(filter).map(([key, id]) => [key, String(id)]));
  return (
    <Section
      title="Monitors"
      actions={
        canWrite && (
          <Button
            component={Link}
            to="/alert-configs/new"
            search={search as never}
            variant="default"
            size="xs"
          >
            Create monitor
          </Button>
        )
      }
    >
      <ShortList
        operationId="listAlertConfigs"
        query={filter}
        columns={columns}
        name="monitors"
        rowKey={({ id }) => id}
        rowLink={({ id }) => ({ to: '/alert-configs/$id', params: { id: String(id) } })}
        empty="Not monitored yet. A monitor compares a deployed version with upstream releases using a rule."
      />
    </Section>
  );
}

import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import { JobLink } from '../../components/job-link.tsx';
import { type Column, ListFilters, ResourceList, useList } from '../../components/list/index.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount } from '../../ui/format.ts';
import { Mark } from '../../ui/mark.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { AddAgent } from './add-agent.tsx';

type Agent = Schemas['Agent'];

const columns: readonly Column<Agent>[] = [
  {
    header: 'Name',
    cell: ({ name, kind }) => (kind === 'embedded' && name !== kind ? `${name} (embedded)` : name),
    csv: ({ name }) => name,
  },
  {
    header: 'State',
    cell: ({ status }) =>
      status === 'online' ? <Mark tone="ok">Online</Mark> : <Mark tone="critical">Offline</Mark>,
    csv: ({ status }) => status,
    width: '6.5rem',
  },
  {
    header: 'Last seen',
    cell: ({ last_heartbeat_at }) => <RelativeTime at={last_heartbeat_at} />,
    csv: ({ last_heartbeat_at }) => last_heartbeat_at,
    width: '9rem',
  },
  {
    header: 'Host',
    cell: ({ hostname, version }) => `${hostname}, version ${version}`,
    csv: ({ hostname }) => hostname,
    secondary: true,
  },
  {
    header: 'Credentials',
    cell: ({ credential_names }) => (credential_names.length === 0 ? 'none' : credential_names.join(', ')),
    csv: ({ credential_names }) => credential_names.join(' '),
  },
  {
    header: 'Current task',
    cell: (agent) => <Running agent={agent} />,
    csv: ({ running }) => running.length,
  },
];

export default function AgentsPage() {
  const list = useList('listAgents', { from: '/shell/agents', filters: ['status'] });
  const [isAdding, adding] = useDisclosure(false);
  const add = useHasRole('admin') && (
    <Button leftSection={<IconPlus size={16} />} onClick={adding.open}>
      Add agent
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Agents"
        about="Agents read upstream releases and deployed versions. The server includes one; run more in networks it can't reach. Each agent keeps its own credentials."
        actions={add}
      />
      <ListFilters
        list={list}
        filters={[
          {
            name: 'status',
            label: 'State',
            options: [
              { value: 'online', label: 'Online' },
              { value: 'offline', label: 'Offline' },
            ],
          },
        ]}
      />
      <ResourceList
        list={list}
        columns={columns}
        name="agents"
        empty={
          <EmptyState title="No agents" action={add}>
            The embedded agent is disabled and no other agent has connected. Without an agent, no releases or
            versions are collected.
          </EmptyState>
        }
      />
      <AddAgent isOpen={isAdding} onClose={adding.close} />
    </>
  );
}

function Running({ agent: { running, status } }: { agent: Agent }) {
  const [first, ...others] = running;
  // An offline agent can't report what it does.
  if (!first || status === 'offline')
    return (
      <Text span inherit c="var(--text-muted)">
        {status === 'offline' ? 'Unknown (offline)' : 'Idle'}
      </Text>
    );
  return (
    <>
      <JobLink kind={first.kind} id={first.job_id} inherit>
        {first.job_name}
      </JobLink>
      {others.length > 0 && ` and ${formatCount(others.length)} more`}
    </>
  );
}
